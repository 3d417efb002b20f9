/// Percent-encoding by RFC 3986 §2, in the strict form that Amazon's signatures require: everything but
/// unreserved characters is encoded, in upper-case hex.
public enum PercentEncoding {
    /// Returns whether a byte is a letter, a digit, `-`, `.`, `_` or `~` (RFC 3986 §2.3).
    public static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    /// Returns a byte percent-encoded.
    public static func encoded(_ byte: UInt8) -> [UInt8] {
        [0x25, digit(byte >> 4), digit(byte & 15)]
    }

    /// Returns whether bytes begin with a percent sign and two hexadecimal digits.
    @inlinable public static func begins(_ bytes: some Collection<UInt8>) -> Bool {
        let start = bytes.prefix(3)
        return start.first == 0x25 && start.dropFirst().isHex(count: 2)
    }

    /// Encodes all bytes except unreserved ones and those in `keeping`.
    public static func encode(_ text: String, keeping kept: String = "") -> String {
        let kept = Array(kept.utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || kept.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += encoded(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes percent-encoded text; a percent sign without two hexadecimal digits stays as it is.
    ///
    /// In form encoding, `+` is a space.
    public static func decode(_ text: some StringProtocol, isForm: Bool = false) -> String {
        String(decoding: decodedBytes(text, isForm: isForm), as: UTF8.self)
    }

    /// Decodes percent-encoded text into its bytes, which need not be UTF-8.
    public static func decodedBytes(_ text: some StringProtocol, isForm: Bool = false) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count, let high = bytes[index + 1].hexValue,
                let low = bytes[index + 2].hexValue
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(isForm && bytes[index] == 0x2B ? 0x20 : bytes[index])
                index += 1
            }
        }
        return result
    }

    /// Returns a URL or a reference as text: UTF-8, and where it isn't that, with its bytes percent-encoded as
    /// they are.
    ///
    /// A URL is bytes, whatever they mean to its server, who is asked for the same ones.
    public static func text(ofURL bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text: [UInt8] = []
        for byte in bytes {
            text += byte < 0x80 ? [byte] : encoded(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the upper-case digit of a number below 16.
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
    }
}
