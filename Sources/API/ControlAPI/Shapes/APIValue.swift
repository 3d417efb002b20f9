/// A value that can be sent over the control socket and described in the OpenAPI document.
public protocol APIValue: Codable, Hashable, Sendable {
    /// The schema of valid values.
    static var schema: JSONSchema { get }
    /// Writes the value.
    func write(to text: inout JSONText)
}

extension String: APIValue {
    public static var schema: JSONSchema { .string() }
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Bool: APIValue {
    public static var schema: JSONSchema { .boolean }
    public func write(to text: inout JSONText) { text.value(self) }
}

extension APIValue where Self: BinaryInteger {
    public static var schema: JSONSchema { .integer() }
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Int: APIValue {}
extension Int64: APIValue {}
extension UInt32: APIValue {}

extension Double: APIValue {
    public static var schema: JSONSchema { .number() }
    public func write(to text: inout JSONText) { text.value(self) }
}

extension Optional: APIValue where Wrapped: APIValue {
    public static var schema: JSONSchema { Wrapped.schema.orNull }
    public func write(to text: inout JSONText) {
        if let self { self.write(to: &text) } else { text.null() }
    }
}

extension Array: APIValue where Element: APIValue {
    public static var schema: JSONSchema { .array(of: Element.schema) }
    public func write(to text: inout JSONText) { text.array(self) { $0.write(to: &$1) } }
}

extension APIWord: APIValue {
    public static var schema: JSONSchema { .words(Known.allCases.map(\.rawValue)) }
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
    public var keyText: String { text }
    public static var allKeyTexts: [String]? { Known.allCases.map(\.rawValue) }
}

extension String: APIKey {
    public var keyText: String { self }
    public static var allKeyTexts: [String]? { nil }
}

extension Dictionary: APIValue where Key: APIKey, Value: APIValue {
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
