/// A text's bytes with escapes undone, each byte with the place in the text where it is written.
///
/// Escapes are those in which texts travel on the web: percent-encoding, those of JSON and JavaScript, and
/// character references of HTML and XML.
struct DecodedText {
    /// The bytes.
    private(set) var bytes: [UInt8]
    /// The beginning and the end of each of them in the text, in bytes.
    private(set) var starts: [Int]
    private(set) var ends: [Int]

    /// A text as it is.
    init(_ text: [UInt8]) {
        bytes = text
        starts = Array(text.indices)
        ends = text.indices.map { $0 + 1 }
    }

    private init(reserving count: Int) {
        (bytes, starts, ends) = ([], [], [])
        bytes.reserveCapacity(count)
        starts.reserveCapacity(count)
        ends.reserveCapacity(count)
    }

    /// The same with one more layer of escapes undone; nil where there are none.
    func unescaped() -> DecodedText? {
        guard bytes.contains(where: Self.beginsEscape) else { return nil }
        var result = DecodedText(reserving: bytes.count)
        var (index, hasChanged) = (0, false)
        while index < bytes.count {
            var length = 1
            if Self.beginsEscape(bytes[index]), let escape = Escape(bytes[index...]) {
                for byte in escape.bytes {
                    result.append(byte, starts[index], ends[index + escape.length - 1])
                }
                (length, hasChanged) = (escape.length, true)
            } else {
                result.append(bytes[index], starts[index], ends[index])
            }
            index += length
        }
        return hasChanged ? result : nil
    }

    /// The same without blanks, line breaks and plus signs, which are blanks in forms; nil where there is nothing
    /// but plus signs to leave out.
    func withoutBlanks() -> DecodedText? {
        guard bytes.contains(where: Self.isBlank) else { return nil }
        var result = DecodedText(reserving: bytes.count)
        for (index, byte) in bytes.enumerated() where !Self.isBlank(byte) && byte != UInt8(ascii: "+") {
            result.append(byte, starts[index], ends[index])
        }
        return result
    }

    /// Returns whether anything but plus signs has been left out between some of the bytes, by the text that they
    /// are written in.
    func hasGap(in place: Range<Int>, of text: [UInt8]) -> Bool {
        place.dropLast().contains { index in
            ends[index] < starts[index + 1]
                && !text[ends[index]..<starts[index + 1]].allSatisfy { $0 == UInt8(ascii: "+") }
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private mutating func append(_ byte: UInt8, _ start: Int, _ end: Int) {
        bytes.append(byte)
        starts.append(start)
        ends.append(end)
    }

    private static func beginsEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
    }

    /// Returns where the text was cut, if nothing is left from a place on but the beginning of an escape, or if
    /// what stands for more that was left out comes there; nil if other text follows.
    func cut(from index: Int) -> Int? {
        let end = index + beginningOfEscape(at: index)
        let rest = bytes[end...]
        // An ellipsis, or what became of half a character.
        let isCut = rest.isEmpty || ["\u{2026}", "\u{FFFD}"].contains { rest.starts(with: $0.utf8) }
        return isCut ? end : nil
    }

    /// Returns how many bytes at a place are the beginning of an escape; all that are whole have been undone.
    func beginningOfEscape(at index: Int) -> Int {
        let rest = bytes[index...]
        let inner = rest.dropFirst()
        switch rest.first {
        case UInt8(ascii: "%"): return 1 + inner.prefix(1).prefix(while: Escape.isHex).count
        case UInt8(ascii: "\\"):
            return 1
                + ("ux".utf8.contains(inner.first ?? 0)
                    ? 1 + inner.dropFirst().prefix(3).prefix(while: Escape.isHex).count : 0)
        case UInt8(ascii: "&"):
            return 1 + inner.prefix(8).prefix { $0 == UInt8(ascii: "#") || Escape.isWord($0) }.count
        default: return 0
        }
    }
}
