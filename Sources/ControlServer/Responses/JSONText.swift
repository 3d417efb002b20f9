import NIOCore

/// JSON (RFC 8259) put together by hand, for what is sent by the hundred: Foundation's encoder takes
/// ten to twenty times as long over each.
///
/// Whoever writes an object gives its members in the order of their names, as the encoder of
/// everything else has them.
struct JSONText {
    /// The text so far, and what was there before it.
    private(set) var buffer: ByteBuffer
    private var isFirst = true

    /// Text that follows what is there.
    init(after buffer: ByteBuffer = ByteBuffer()) { self.buffer = buffer }

    /// Writes an object.
    mutating func object(_ members: (inout JSONText) -> Void) {
        buffer.writeStaticString("{")
        isFirst = true
        members(&self)
        buffer.writeStaticString("}")
        isFirst = false
    }

    /// Writes an array.
    mutating func array<Element>(_ elements: [Element], _ write: (inout JSONText, Element) -> Void) {
        buffer.writeStaticString("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.writeStaticString(",") }
            write(&self, element)
        }
        buffer.writeStaticString("]")
        isFirst = false
    }

    /// Begins a member of an object; its value follows.
    mutating func name(_ name: StaticString) {
        buffer.writeStaticString(isFirst ? "\"" : ",\"")
        isFirst = false
        buffer.writeStaticString(name)
        buffer.writeStaticString("\":")
    }

    /// Writes an integer, or null.
    mutating func value(_ number: Int64?) {
        guard let number else { return null() }
        buffer.writeString(String(number))
    }

    /// Writes a number, or null.
    mutating func value(_ number: Double?) {
        // JSON has no others (RFC 8259 §6).
        guard let number, number.isFinite else { return null() }
        buffer.writeString(Int64(exactly: number).map { String($0) } ?? String(number))
    }

    /// Writes a string, or null.
    mutating func value(_ text: String?) {
        guard let text else { return null() }
        buffer.writeStaticString("\"")
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            for byte in text.utf8 { escape(byte) }
        } else {
            buffer.writeString(text)
        }
        buffer.writeStaticString("\"")
    }

    /// Writes true or false.
    mutating func value(_ truth: Bool) { buffer.writeStaticString(truth ? "true" : "false") }

    /// Writes null.
    mutating func null() { buffer.writeStaticString("null") }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5C: buffer.writeBytes([0x5C, byte])
        case 0x08: buffer.writeStaticString("\\b")
        case 0x09: buffer.writeStaticString("\\t")
        case 0x0A: buffer.writeStaticString("\\n")
        case 0x0C: buffer.writeStaticString("\\f")
        case 0x0D: buffer.writeStaticString("\\r")
        case 0..<0x20:
            buffer.writeStaticString(byte < 0x10 ? "\\u000" : "\\u00")
            buffer.writeString(String(byte, radix: 16))
        default: buffer.writeInteger(byte)
        }
    }
}
