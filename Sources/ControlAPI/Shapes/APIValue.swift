/// A value that goes over the control socket: how it is written, and what the OpenAPI document says of it.
public protocol APIValue: Codable, Hashable, Sendable {
    /// What may stand there.
    static var schema: JSONSchema { get }
    /// Writes the value.
    func write(to text: inout JSONText)
}

extension String: APIValue {
    /// Any text.
    public static var schema: JSONSchema { .string() }
    /// Writes a string.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Bool: APIValue {
    /// True or false.
    public static var schema: JSONSchema { .boolean }
    /// Writes true or false.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Int: APIValue {
    /// Any integer.
    public static var schema: JSONSchema { .integer() }
    /// Writes an integer.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Int64: APIValue {
    /// Any integer.
    public static var schema: JSONSchema { .integer() }
    /// Writes an integer.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension UInt32: APIValue {
    /// Any integer.
    public static var schema: JSONSchema { .integer() }
    /// Writes an integer.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Double: APIValue {
    /// Any number.
    public static var schema: JSONSchema { .number() }
    /// Writes a number.
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Optional: APIValue where Wrapped: APIValue {
    /// What may stand there, or null.
    public static var schema: JSONSchema { Wrapped.schema.orNull }
    /// Writes the value, or null.
    public func write(to text: inout JSONText) {
        if let self { self.write(to: &text) } else { text.null() }
    }
}

extension Array: APIValue where Element: APIValue {
    /// Any number of elements.
    public static var schema: JSONSchema { .array(of: Element.schema) }
    /// Writes the elements in order.
    public func write(to text: inout JSONText) { text.array(self) { $0.write(to: &$1) } }
}

extension APIWord: APIValue {
    /// The words of the list.
    public static var schema: JSONSchema { .words(Known.allCases.map(\.rawValue)) }
    /// Writes the word.
    public func write(to text: inout JSONText) { text.value(self.text) }
}

/// A key of an object that has a member for each of some words.
public protocol APIKey: Codable, CodingKeyRepresentable, Hashable, Sendable {
    /// The key as it goes over the socket.
    var keyText: String { get }
    /// Every key that such an object has; nil where any may be.
    static var allKeyTexts: [String]? { get }
}

extension APIWord: APIKey {
    /// The word as it goes over the socket.
    public var keyText: String { text }
    /// The words of the list.
    public static var allKeyTexts: [String]? { Known.allCases.map(\.rawValue) }
}

extension String: APIKey {
    /// The key as it goes over the socket.
    public var keyText: String { self }
    /// Any text may be a key.
    public static var allKeyTexts: [String]? { nil }
}

extension Dictionary: APIValue where Key: APIKey, Value: APIValue {
    /// A member for each key.
    public static var schema: JSONSchema { .members(Key.allKeyTexts, Value.schema) }
    /// Writes an object, its members in the order of their names.
    public func write(to text: inout JSONText) {
        text.object { text in
            for (key, value) in map({ ($0.key.keyText, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
                text.name(key)
                value.write(to: &text)
            }
        }
    }
}
