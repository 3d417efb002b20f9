/// A recipe as a tree of values, as read from YAML or JSON.
public indirect enum RecipeValue: Hashable, Sendable {
    /// An entry of a mapping.
    public struct Entry: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: RecipeValue

        public init(_ name: String, _ value: RecipeValue) {
            self.name = name
            self.value = value
        }
    }

    /// Null.
    case null
    /// A boolean.
    case bool(Bool)
    /// An integer.
    case integer(Int)
    /// Any other number.
    case decimal(Double)
    /// A text.
    case text(String)
    /// A list.
    case list([RecipeValue])
    /// A mapping, in the order of the file.
    case map([Entry])

    /// A description of the value for error messages, as a noun phrase.
    var noun: String {
        switch self {
        case .null: "nothing"
        case .bool(let value): "\(value)"
        case .integer(let value): "the number \(value)"
        case .decimal(let value): "the number \(value)"
        case .text(let text): "the text \"\(text.prefix(40))\(text.count > 40 ? "…" : "")\""
        case .list: "a list"
        case .map: "a mapping"
        }
    }
}

extension RecipeValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// An integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A mapping.
    public init(dictionaryLiteral elements: (String, RecipeValue)...) {
        self = .map(elements.map { Entry($0.0, $0.1) })
    }
    /// A list.
    public init(arrayLiteral elements: RecipeValue...) { self = .list(elements) }
}

extension RecipeValue {
    /// The value as JSON on one line, which is YAML as well.
    public var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .text(let text): Names.quoted(text)
        case .list(let values): "[\(values.map(\.json).joined(separator: ", "))]"
        case .map(let entries):
            "{\(entries.map { "\(Names.quoted($0.name)): \($0.value.json)" }.joined(separator: ", "))}"
        }
    }
}
