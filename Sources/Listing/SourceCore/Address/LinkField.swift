/// A parser for the header field Link (RFC 8288 §3).
public enum LinkField {
    /// Returns the target of the first link with a relation, given all Link fields of a response;
    /// relations are compared in lower case.
    ///
    /// A link with an `anchor` is about another page and is ignored.
    public static func target(relation: String, in fields: [String]) -> String? {
        for field in fields {
            for link in links(in: field) {
                let relations = link.parameters["rel"]?.lowercased().split(separator: " ") ?? []
                if link.parameters["anchor"] == nil, relations.contains(Substring(relation)) {
                    return link.target
                }
            }
        }
        return nil
    }

    /// Returns all links of a response by their first relation, for a recipe's `$links`.
    public static func byRelation(_ fields: [String]) -> [String: String] {
        var result: [String: String] = [:]
        for link in fields.flatMap(links(in:)) where link.parameters["anchor"] == nil {
            for relation in link.parameters["rel"]?.lowercased().split(separator: " ") ?? []
            where result[String(relation)] == nil {
                result[String(relation)] = link.target
            }
        }
        return result
    }

    private struct Link {
        var target: String
        var parameters: [String: String] = [:]
    }

    private static func links(in field: String) -> [Link] {
        var links: [Link] = []
        var rest = Array(field.unicodeScalars)[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            var link = Link(target: String(String.UnicodeScalarView(rest[(open + 1)..<close])))
            rest = rest[(close + 1)...]
            while let parameter = nextParameter(&rest) {
                // Of several equal parameters, the first counts (RFC 8288 §3.3).
                if link.parameters[parameter.name] == nil {
                    link.parameters[parameter.name] = parameter.value
                }
            }
            links.append(link)
        }
        return links
    }

    /// Parses `; name=value` or `; name="value"`; nil at a comma or the end.
    private static func nextParameter(
        _ rest: inout ArraySlice<Unicode.Scalar>
    ) -> (name: String, value: String)? {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard rest.first == ";" else { return nil }
        rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
        let name = rest.prefix { !"=;, \t\"<".unicodeScalars.contains($0) }
        rest = rest.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
        var value = String.UnicodeScalarView()
        if rest.first == "=" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let scalar = rest.popFirst(), scalar != "\"" {
                    if scalar == "\\", let escaped = rest.popFirst() {
                        value.append(escaped)
                    } else {
                        value.append(scalar)
                    }
                }
            } else {
                let word = rest.prefix { !";, \t".unicodeScalars.contains($0) }
                value.append(contentsOf: word)
                rest = rest.dropFirst(word.count)
            }
        }
        return (String(String.UnicodeScalarView(name)).lowercased(), String(value))
    }
}
