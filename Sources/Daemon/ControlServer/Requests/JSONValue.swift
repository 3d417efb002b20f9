/// A JSON value read from a request (RFC 8259).
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    /// The content isn't kept here.
    case array
    /// The content isn't kept here.
    case object

    /// The kind of value, with its article, for use in a sentence.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
