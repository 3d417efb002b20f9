/// A recipe as a tree of values, as YAML and JSON both have it.
public indirect enum RecipeValue: Hashable, Sendable {
    /// A name in a mapping, with what it names.
    public struct Entry: Hashable, Sendable {
        /// The name.
        public var name: String
        /// What it names.
        public var value: RecipeValue

        /// A name with a value.
        public init(_ name: String, _ value: RecipeValue) {
            self.name = name
            self.value = value
        }
    }

    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// Any other number.
    case decimal(Double)
    /// A text.
    case text(String)
    /// A list.
    case list([RecipeValue])
    /// Names with values, in the order of the file.
    case map([Entry])

    /// What the value is, as a noun phrase for error messages.
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
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A mapping.
    public init(dictionaryLiteral elements: (String, RecipeValue)...) {
        self = .map(elements.map { Entry($0.0, $0.1) })
    }
    /// A list.
    public init(arrayLiteral elements: RecipeValue...) { self = .list(elements) }
}
