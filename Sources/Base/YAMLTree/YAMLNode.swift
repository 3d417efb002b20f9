/// A value of a document in YAML (JSON is YAML, too), with aliases replaced by what they stand for.
public indirect enum YAMLNode: Hashable, Sendable {
    /// A scalar as it is written.
    public struct Scalar: Hashable, Sendable {
        /// The text.
        public var text: String
        /// True if the text may mean something other than itself, such as a number: it has no quotes, is no
        /// block, and no tag says that it is a text.
        public var isPlain: Bool
        /// The line on which it begins, from 1.
        public var line: Int
    }

    /// An entry of a mapping.
    public struct Entry: Hashable, Sendable {
        /// The name, which is always a text.
        public var name: String
        /// The line of the name, from 1.
        public var line: Int
        /// The value.
        public var value: YAMLNode
    }

    /// A text, a number, or nothing.
    case scalar(Scalar)
    /// A list.
    case list([YAMLNode], line: Int)
    /// A mapping, in the order of the document; each name comes once.
    case map([Entry], line: Int)

    /// The line on which the value begins, from 1.
    public var line: Int {
        switch self {
        case .scalar(let scalar): scalar.line
        case .list(_, let line), .map(_, let line): line
        }
    }

    /// The text of a scalar; nil for anything else.
    public var text: String? { if case .scalar(let scalar) = self { scalar.text } else { nil } }

    /// True if nothing is written here, or a word for it (yaml.org/type/null.html).
    public var isNull: Bool {
        guard case .scalar(let scalar) = self, scalar.isPlain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.text)
    }
}
