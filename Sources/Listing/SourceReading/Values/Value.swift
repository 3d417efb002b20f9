import CPages

/// An owned value of libjq, which is freed with this object.
///
/// libjq's functions consume their arguments, so this class passes copies.
final class Value {
    private let raw: jv

    /// Takes ownership of a value.
    init(owning raw: jv) { self.raw = raw }

    deinit { jv_free(raw) }

    /// Returns a copy for a function that consumes it.
    func copy() -> jv { jv_copy(raw) }

    /// The kind of value.
    var kind: jv_kind { jv_get_kind(raw) }

    /// True if this is a value at all, and not an error or the end.
    var isValid: Bool { kind != JV_KIND_INVALID }

    /// The message of an error; nil for the end.
    var error: String? {
        let message = Value(owning: jv_invalid_get_msg(copy()))
        switch message.kind {
        case JV_KIND_NULL: return nil
        case JV_KIND_STRING: return message.text
        default: return message.json
        }
    }

    /// The text, if this is one.
    var text: String? {
        guard kind == JV_KIND_STRING, let bytes = jv_string_value(raw) else { return nil }
        let length = Int(jv_string_length_bytes(copy()))
        let start = UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self)
        return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }

    /// The number, if this is one.
    var number: Double? { kind == JV_KIND_NUMBER ? jv_number_value(raw) : nil }

    /// The text, or the number as ``NumberSpelling`` has it.
    var scalar: String? { number.map(NumberSpelling.text) ?? text }

    /// True if the value counts as true, as anything but null and false does.
    var isTruthy: Bool { kind != JV_KIND_NULL && kind != JV_KIND_FALSE && isValid }

    /// The value as JSON.
    var json: String { Value(owning: jv_dump_string(copy(), 0)).text ?? "" }

    /// Returns a member of an object; invalid if there is none.
    func member(_ name: String) -> Value {
        guard kind == JV_KIND_OBJECT else { return Value(owning: jv_invalid()) }
        return Value(owning: jv_object_get(copy(), Value.text(name).copy()))
    }

    /// Returns an element of an array; invalid if there is none.
    func element(_ index: Int) -> Value {
        guard kind == JV_KIND_ARRAY else { return Value(owning: jv_invalid()) }
        return Value(owning: jv_array_get(copy(), Int32(clamping: index)))
    }

    /// The number of elements or members.
    var count: Int {
        switch kind {
        case JV_KIND_ARRAY: Int(jv_array_length(copy()))
        case JV_KIND_OBJECT: Int(jv_object_length(copy()))
        default: 0
        }
    }

    /// The members' names, sorted.
    var names: [String] {
        guard kind == JV_KIND_OBJECT else { return [] }
        let keys = Value(owning: jv_keys(copy()))
        return (0..<keys.count).compactMap { keys.element($0).text }
    }

    /// A description of the value, as a noun phrase.
    var noun: String {
        switch kind {
        case JV_KIND_NULL: "null"
        case JV_KIND_FALSE, JV_KIND_TRUE: json
        case JV_KIND_NUMBER: "the number \(json)"
        case JV_KIND_STRING: "the text \"\((text ?? "").prefix(40))\""
        case JV_KIND_ARRAY: "an array"
        case JV_KIND_OBJECT: "an object"
        default: "nothing"
        }
    }

    static var null: Value { Value(owning: jv_null()) }

    static func text(_ text: String) -> Value {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                Value(owning: jv_string_sized($0.baseAddress, Int32(clamping: $0.count)))
            }
        }
    }

    static func textOrNull(_ text: String?) -> Value { text.map(Value.text) ?? .null }

    static func number(_ number: Int) -> Value { Value(owning: jv_number(Double(number))) }

    static func array(_ values: some Sequence<Value>) -> Value {
        Value(owning: values.reduce(jv_array()) { jv_array_append($0, $1.copy()) })
    }

    static func object(_ members: [(String, Value)]) -> Value {
        Value(owning: members.reduce(jv_object()) { jv_object_set($0, Value.text($1.0).copy(), $1.1.copy()) })
    }

    static func object(_ members: [String: String]) -> Value {
        object(members.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) })
    }
}
