/// A value that can be sent over the control socket and described in the OpenAPI document.
public protocol APIValue: Codable, Hashable, Sendable {
    /// The schema of valid values.
    static var schema: JSONSchema { get }
    /// Writes the value.
    func write(to text: inout JSONText)
}

extension String: APIValue {
    /// The schema of any string.
    public static var schema: JSONSchema { .string() }
    /// Writes a string.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Bool: APIValue {
    /// The schema of a boolean.
    public static var schema: JSONSchema { .boolean }
    /// Writes a boolean.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Int: APIValue {
    /// The schema of any integer.
    public static var schema: JSONSchema { .integer() }
    /// Writes an integer.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Int64: APIValue {
    /// The schema of any integer.
    public static var schema: JSONSchema { .integer() }
    /// Writes an integer.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension UInt32: APIValue {
    /// The schema of any integer.
    public static var schema: JSONSchema { .integer() }
    /// Writes an integer.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Double: APIValue {
    /// The schema of any number.
    public static var schema: JSONSchema { .number() }
    /// Writes a number.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Optional: APIValue where Wrapped: APIValue {
    /// The schema of the value or null.
    public static var schema: JSONSchema { Wrapped.schema.orNull }
    /// Writes the value, or null.
    public func write(to text: inout JSONText) {
        if let self { self.write(to: &text) } else { text.null() }
    }
}

extension Array: APIValue where Element: APIValue {
    /// The schema of an array of any length.
    public static var schema: JSONSchema { .array(of: Element.schema) }
    /// Writes the elements in order.
    public func write(to text: inout JSONText) { text.array(self) { $0.write(to: &$1) } }
}

extension APIWord: APIValue {
    /// The schema of a word on the list.
    public static var schema: JSONSchema { .words(Known.allCases.map(\.rawValue)) }
    /// Writes the word as a string.
    public func write(to text: inout JSONText) { text.value(self.text) }
}

/// A key of an object that serves as a dictionary.
public protocol APIKey: Codable, CodingKeyRepresentable, Hashable, Sendable {
    /// The key as sent over the socket.
    var keyText: String { get }
    /// All keys that such an object has; nil if any are allowed.
    static var allKeyTexts: [String]? { get }
}

extension APIWord: APIKey {
    /// The word as sent over the socket.
    public var keyText: String { text }
    /// The schema of a word on the list.
    public static var allKeyTexts: [String]? { Known.allCases.map(\.rawValue) }
}

extension String: APIKey {
    /// The key as sent over the socket.
    public var keyText: String { self }
    /// Nil, since any text may be a key.
    public static var allKeyTexts: [String]? { nil }
}

extension Dictionary: APIValue where Key: APIKey, Value: APIValue {
    /// The schema of an object with a member for each key.
    public static var schema: JSONSchema { .members(Key.allKeyTexts, Value.schema) }
    /// Writes an object with its members in alphabetical order.
    public func write(to text: inout JSONText) {
        text.object { text in
            for (key, value) in map({ ($0.key.keyText, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
                text.name(key)
                value.write(to: &text)
            }
        }
    }
}
