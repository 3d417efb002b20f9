import SourceCore

/// The Link fields of a page, one a line.
enum LinkTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let fields = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let links = LinkField.byRelation(fields)
        for (relation, target) in links {
            try promise(!relation.isEmpty, "a link has no relation")
            try promise(!target.unicodeScalars.contains(">"), "a link goes on behind its end")
            try promise(
                LinkField.target(relation: relation, in: fields) == target,
                "the link to \(relation.debugDescription) is another when only that is looked for"
            )
            // By scalars: a quote with a combining mark is one character, and still a quote.
            let quoted = relation.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
            let again = LinkField.byRelation(["<\(target)>; rel=\"\(quoted.joined())\""])
            try promise(again == [relation: target], "a link isn't the same after it was written again")
        }
        return links.min { $0.key < $1.key }?.value
    }
}
