/// A URL with {variables}.
public struct URLTemplate: Hashable, Sendable {
    /// Why a text is no template.
    public struct Problem: Error, Hashable, Sendable {
        /// As a clause.
        public var message: String
    }

    private enum Part: Hashable, Sendable {
        case literal(String)
        case variable(String)
    }

    /// The template as it was written.
    public let text: String
    private let parts: [Part]

    /// A template with nothing in it.
    static let empty = URLTemplate(text: "", parts: [])

    private init(text: String, parts: [Part]) {
        self.text = text
        self.parts = parts
    }

    /// Reads a template: `{name}` is a variable, braces stand for nothing else.
    public init(_ text: String) throws(Problem) {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                throw Problem(
                    message: "there is a brace without its other half; write %7B or %7D for the character"
                )
            }
            let name = rest[rest.index(after: open)..<close]
            guard Names.isVariable(name) else {
                throw Problem(
                    message: "{\(name)} is no name of a variable; those are letters, digits and underscores"
                )
            }
            if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
            parts.append(.variable(String(name)))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        self.init(text: text, parts: parts)
    }

    /// The variables in it, each once.
    public var names: [String] {
        parts.reduce(into: []) { names, part in
            if case .variable(let name) = part, !names.contains(name) { names.append(name) }
        }
    }

    /// The variable that it begins with: a base URL, which is put in as it is.
    public var leading: String? { if case .variable(let name)? = parts.first { name } else { nil } }

    /// What stands before the first variable.
    var literalStart: String { if case .literal(let text)? = parts.first { text } else { "" } }

    /// The URL with its variables filled in; throws the name of the first that isn't there.
    public func filled(_ values: Variables) throws(MissingVariable) -> String {
        try joined { name, isFirst throws(MissingVariable) in
            let value = try values.text(name)
            return isFirst ? value : PercentEncoding.encode(value)
        }
    }

    /// A header field's text with its variables put in as they are.
    public func filledVerbatim(_ values: Variables) throws(MissingVariable) -> String {
        try joined { name, _ throws(MissingVariable) in try values.text(name) }
    }

    private func joined(
        _ fill: (String, Bool) throws(MissingVariable) -> String
    ) throws(MissingVariable) -> String {
        var result = ""
        for (index, part) in parts.enumerated() {
            switch part {
            case .literal(let text): result += text
            case .variable(let name): result += try fill(name, index == 0)
            }
        }
        return result
    }
}

/// A variable that has no value.
public struct MissingVariable: Error, Hashable, Sendable {
    /// Its name.
    public var name: String
}
