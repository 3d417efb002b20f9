import Vocabulary

/// A URL or other text with {variables}.
public struct URLTemplate: Hashable, Sendable {
    /// The reason why a text isn't a valid template.
    public struct Problem: Error, Hashable, Sendable {
        /// The reason as a clause for people.
        public var message: String
    }

    private enum Part: Hashable, Sendable {
        case literal(String)
        case variable(String)
    }

    /// The template as written.
    public let text: String
    private let parts: [Part]

    /// An empty template.
    static let empty = URLTemplate(text: "", parts: [])

    private init(text: String, parts: [Part]) {
        self.text = text
        self.parts = parts
    }

    /// Parses a template, in which `{name}` is a variable; braces have no other use.
    public init(_ text: String) throws(Problem) {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                throw Problem(
                    message: "there is an unmatched brace; write %7B or %7D for the character"
                )
            }
            let name = rest[rest.index(after: open)..<close]
            guard Names.isVariable(name) else {
                throw Problem(
                    message: "{\(name)} is not a variable's name; use letters, digits and underscores"
                )
            }
            if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
            parts.append(.variable(String(name)))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        self.init(text: text, parts: parts)
    }

    /// The names of the variables, each once.
    public var names: [String] {
        var seen: Set<String> = []
        return parts.compactMap { part in
            if case .variable(let name) = part, seen.insert(name).inserted { name } else { nil }
        }
    }

    /// The variable that the template begins with, which is a base URL and inserted without encoding.
    public var leading: String? { if case .variable(let name)? = parts.first { name } else { nil } }

    /// The text before the first variable.
    var literalStart: String { if case .literal(let text)? = parts.first { text } else { "" } }

    /// Returns the URL with its variables filled in and encoded; throws the name of the first one
    /// without a value.
    public func filled(_ values: Variables) throws(MissingVariable) -> String {
        try joined { name, isFirst throws(MissingVariable) in
            let value = try values.text(name)
            return isFirst ? value : PercentEncoding.encode(value)
        }
    }

    /// Returns the text with its variables filled in without encoding, for header fields.
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

/// The error of a variable without a value.
public struct MissingVariable: Error, Hashable, Sendable {
    /// The variable's name.
    public var name: String
}
