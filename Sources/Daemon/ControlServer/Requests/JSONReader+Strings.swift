import Vocabulary

extension JSONReader {
    /// The most bytes kept of a string: more than any value may have, so that a string that was cut is
    /// refused as too long anyway.
    static let maximumTextLength = 16 << 10
    /// The most bytes kept of a key: more than any known key has.
    static let maximumKeyLength = 9 << 10

    /// Reads a complete string, and keeps a limited number of its bytes.
    ///
    /// The first pass finds the end; a second one decodes escapes if there are any. Neither goes back,
    /// and what is kept is written once.
    mutating func string(atMost limit: Int) throws(Malformed) -> String {
        let opening = position
        position += 1
        let start = position
        var hasEscapes = false
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw malformed("a control character in a string must be escaped") }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                position += 1
            }
            position += 1
        }
        guard position < bytes.count else { throw malformed("a string has no end", at: opening) }
        let range = start..<position
        // Escapes are ASCII, so they don't affect whether the text is valid UTF-8.
        do { _ = try UTF8Span(validating: bytes.span.extracting(range)) } catch {
            throw malformed("a string is not UTF-8", at: opening)
        }
        defer { position = range.upperBound + 1 }
        // If the limit cuts through a character, decoding repairs it; the text is too long anyway.
        guard hasEscapes else { return String(decoding: bytes[range.prefix(limit)], as: UTF8.self) }
        return try unescaped(range, atMost: limit)
    }

    private mutating func unescaped(_ range: Range<Int>, atMost limit: Int) throws(Malformed) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(min(limit, range.count))
        position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\\") {
                let scalar = try escape()
                if text.count < limit { text.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
            } else {
                if text.count < limit { text.append(byte) }
                position += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func escape() throws(Malformed) -> Unicode.Scalar {
        let start = position
        position += 1
        guard let byte = next else { throw malformed("it ends too early") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try hexUnit(start)
            guard UTF16.isLeadSurrogate(unit) else {
                guard let scalar = Unicode.Scalar(unit) else {
                    throw malformed("half a surrogate pair", at: start)
                }
                return scalar
            }
            guard next == UInt8(ascii: "\\"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "u")
            else { throw malformed("half a surrogate pair", at: start) }
            position += 2
            let trail = try hexUnit(start)
            guard UTF16.isTrailSurrogate(trail),
                let scalar = Unicode.Scalar(
                    0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
                )
            else { throw malformed("half a surrogate pair", at: start) }
            return scalar
        default: throw malformed("an unknown escape", at: start)
        }
    }

    private mutating func hexUnit(_ start: Int) throws(Malformed) -> UInt16 {
        guard position + 4 <= bytes.count, let unit = bytes[position..<position + 4].hexNumber else {
            throw malformed("\\u needs four hexadecimal digits", at: start)
        }
        position += 4
        return UInt16(unit)
    }
}
