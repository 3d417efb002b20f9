import CPages

/// Finds out why the path at the beginning of an expression doesn't fit a page, as when
/// `.photos[].img_src` asks for something that isn't there.
enum MissingPath {
    private enum Step {
        case member(String)
        case elements
    }

    /// Returns a clause such as `.photos isn't there, only error, message`; nil if the path fits, or if the
    /// expression doesn't begin with one.
    static func find(_ expression: String, in value: Value) -> String? {
        var path = ""
        var value = value
        for step in steps(expression).steps {
            switch step {
            case .member(let name):
                guard value.kind == JV_KIND_OBJECT else {
                    return "\(path.isEmpty ? "." : path) is \(value.noun), and has no \(name)"
                }
                let next = value.member(name)
                path += ".\(name)"
                guard next.isValid else {
                    let names = value.names.prefix(10).joined(separator: ", ")
                    return "\(path) isn't there, "
                        + (names.isEmpty ? "nor is anything else" : "only \(names)")
                }
                value = next
            case .elements:
                let isList = value.kind == JV_KIND_ARRAY || value.kind == JV_KIND_OBJECT
                guard isList else {
                    return "\(path.isEmpty ? "." : path) is \(value.noun), and has no elements"
                }
                guard value.kind == JV_KIND_ARRAY, value.count > 0 else { return nil }
                path += "[]"
                value = value.element(0)
            }
        }
        return nil
    }

    /// Returns whether an expression is a path and nothing else.
    static func isWhole(_ expression: String) -> Bool {
        let (steps, rest) = steps(expression)
        return !steps.isEmpty && rest.allSatisfy(\.isWhitespace)
    }

    /// Returns the member for which an expression asks that does nothing else.
    static func member(_ expression: String) -> String? {
        guard isWhole(expression), case let steps = steps(expression).steps, steps.count == 1,
            case .member(let name)? = steps.first
        else { return nil }
        return name
    }

    /// Returns the path of an expression that compares it with a constant, as `.type == "image"` does.
    static func compared(_ expression: String) -> String? {
        let (steps, rest) = steps(expression)
        let comparison = rest.drop(while: \.isWhitespace)
        let operators = ["==", "!=", ">=", "<=", ">", "<"]
        guard !steps.isEmpty, let operation = operators.first(where: { comparison.hasPrefix($0) }) else {
            return nil
        }
        let constant = comparison.dropFirst(operation.count).drop(while: \.isWhitespace)
        let isText =
            constant.count > 1 && constant.hasPrefix("\"") && constant.hasSuffix("\"")
            && !constant.dropFirst().dropLast().contains { $0 == "\"" || $0 == "\\" }
        guard isText || constant == "true" || Double(constant) != nil else { return nil }
        return String(expression.prefix(expression.count - rest.count))
    }

    /// Parses `.name`, `."name"`, `["name"]` and `[]` as far as they go, and returns what follows.
    private static func steps(_ expression: String) -> (steps: [Step], rest: Substring) {
        var steps: [Step] = []
        var rest = expression.drop { $0.isWhitespace }
        while rest.first == "." || rest.first == "[" {
            if rest.first == "." { rest = rest.dropFirst() }
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            if !name.isEmpty {
                rest = rest.dropFirst(name.count)
                // A path such as `.a?` may be missing.
                if rest.first == "?" { return (steps, rest) }
                steps.append(.member(String(name)))
            } else if rest.hasPrefix("[]") {
                rest = rest.dropFirst(2)
                if rest.first == "?" { return (steps, rest) }
                steps.append(.elements)
            } else {
                let quoted =
                    rest.hasPrefix("[\"") ? rest.dropFirst(2) : rest.hasPrefix("\"") ? rest.dropFirst() : ""
                guard let end = quoted.firstIndex(of: "\""), !quoted[..<end].contains("\\") else {
                    return (steps, rest)
                }
                steps.append(.member(String(quoted[..<end])))
                rest = quoted[quoted.index(after: end)...]
                if rest.first == "]" { rest = rest.dropFirst() }
            }
        }
        return (steps, rest)
    }
}
