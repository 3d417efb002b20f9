/// JSON whose texts aren't UTF-8, although it has to be (RFC 8259 §8.1).
enum ForeignJSON {
    /// Returns the same in UTF-8, each text decoded like a field of a table; nil if nothing has to change.
    ///
    /// libjq would put U+FFFD in the place of what isn't UTF-8, and another URL would be asked for.
    static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch {
            var (result, rest) = ([UInt8](), bytes[...])
            while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
                result += rest[...start]
                rest = rest[(start + 1)...]
                let end = end(of: rest)
                result += TextDecoder.text(rest[..<end]).utf8
                result += rest[end...].prefix(1)
                rest = rest[end...].dropFirst()
            }
            return result + rest
        }
    }

    /// The place of the quote that ends a text.
    private static func end(of text: ArraySlice<UInt8>) -> Int {
        var index = text.startIndex
        while index < text.endIndex, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, text.endIndex)
    }
}
