/// Writes strings of JSON (RFC 8259, section 7).
public enum JSONString {
    /// The spelling of characters below U+0020, which JSON has to escape.
    public enum Controls: Sendable {
        /// By letters where there are any: `\n`.
        case byLetter
        /// All by their numbers: `\u000a`.
        case byNumber
        /// All by their numbers, and U+007F as well, which steers terminals.
        case byNumberWithDelete
    }

    /// Returns a text as a string, in its quotes.
    public static func of(_ text: String, _ controls: Controls = .byLetter) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes, controls)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a text as a string, in its quotes.
    public static func append(_ text: String, to bytes: inout [UInt8], _ controls: Controls = .byLetter) {
        var text = text
        text.withUTF8 { append($0, to: &bytes, controls) }
    }

    /// Appends a text in UTF-8 as a string, in its quotes.
    public static func append(
        _ text: UnsafeBufferPointer<UInt8>,
        to bytes: inout [UInt8],
        _ controls: Controls = .byLetter
    ) {
        bytes.append(UInt8(ascii: "\""))
        // Without a way out of the loop, the compiler looks at many characters at once.
        var escaped: UInt8 = 0
        for byte in text {
            escaped |=
                (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0)
                | (byte == UInt8(ascii: "\\") ? 1 : 0)
                | (byte == 0x7F ? 1 : 0)
        }
        if escaped == 0 {
            bytes.append(contentsOf: text)
        } else {
            for byte in text { escape(byte, to: &bytes, controls) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8, to bytes: inout [UInt8], _ controls: Controls) {
        switch (byte, controls) {
        case (UInt8(ascii: "\""), _), (UInt8(ascii: "\\"), _): bytes += [UInt8(ascii: "\\"), byte]
        case (0x08, .byLetter): bytes += "\\b".utf8
        case (0x09, .byLetter): bytes += "\\t".utf8
        case (0x0A, .byLetter): bytes += "\\n".utf8
        case (0x0C, .byLetter): bytes += "\\f".utf8
        case (0x0D, .byLetter): bytes += "\\r".utf8
        case (0..<0x20, _), (0x7F, .byNumberWithDelete):
            bytes += "\\u00".utf8
            bytes += [.hexDigit(byte >> 4), .hexDigit(byte & 15)]
        default: bytes.append(byte)
        }
    }
}
