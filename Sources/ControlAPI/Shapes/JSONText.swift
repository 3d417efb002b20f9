/// JSON (RFC 8259) as UTF-8, written value by value.
///
/// The one writer of every shape: pages of jobs and frames of events are written by the thousand, and
/// Foundation's encoder takes ten to twenty times as long over each (`make bench ONLY=text`). Objects
/// have their members in the order of their names, as that encoder's `sortedKeys` has them.
public struct JSONText: Sendable {
    /// The text so far, and what was there before it.
    public private(set) var bytes: [UInt8]
    private var isFirst = true

    /// Text that follows what is there.
    public init(after bytes: [UInt8] = []) { self.bytes = bytes }

    /// Writes an object: what its members say, each by ``name(_:)`` and a value.
    mutating func object(_ members: (inout JSONText) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// Writes an array.
    mutating func array<Element>(
        _ elements: some Collection<Element>,
        _ write: (Element, inout JSONText) -> Void
    ) {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            write(element, &self)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Begins a member of an object, whose value follows.
    mutating func name(_ name: String) { self.name(quoted: Self.quoted(name)) }

    /// Begins a member of an object, whose value follows, by its name as ``quoted(_:)`` has it.
    mutating func name(quoted name: [UInt8]) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(contentsOf: name)
    }

    /// A member's name and the colon behind it.
    static func quoted(_ name: String) -> [UInt8] { Array((string(name) + ":").utf8) }

    /// A string as JSON has it, in its quotes.
    public static func string(_ text: String) -> String {
        var json = JSONText()
        json.value(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Writes an integer.
    mutating func value(_ number: some BinaryInteger) { bytes.append(contentsOf: String(number).utf8) }

    /// Writes a number.
    mutating func value(_ number: Double) {
        // JSON has no others (RFC 8259 §6).
        guard number.isFinite else { return null() }
        let text = Int64(exactly: number).map { String($0) } ?? String(number)
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes a string.
    mutating func value(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            for byte in text.utf8 { escape(byte) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes true or false.
    mutating func value(_ truth: Bool) { verbatim(truth ? "true" : "false") }

    /// Writes null.
    mutating func null() { verbatim("null") }

    /// Writes what is JSON already.
    mutating func verbatim(_ json: String) { bytes.append(contentsOf: json.utf8) }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5C: bytes += [0x5C, byte]
        case 0x08: verbatim("\\b")
        case 0x09: verbatim("\\t")
        case 0x0A: verbatim("\\n")
        case 0x0C: verbatim("\\f")
        case 0x0D: verbatim("\\r")
        case 0..<0x20: verbatim((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
        default: bytes.append(byte)
        }
    }
}
