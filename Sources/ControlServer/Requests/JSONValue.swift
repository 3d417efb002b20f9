/// A value of a JSON text, as read from a request (RFC 8259).
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    /// What is in it is not kept here.
    case array
    /// What is in it is not kept here.
    case object

    /// What it is, for a sentence.
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
