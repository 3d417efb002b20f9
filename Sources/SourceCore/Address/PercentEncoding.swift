/// Percent-encoding by RFC 3986 §2, in the strict form that Amazon's signatures require: everything but
/// unreserved characters is encoded, in upper-case hex.
public enum PercentEncoding {
    private static let hex = Array("0123456789ABCDEF".utf8)

    /// Returns whether a byte is a letter, a digit, `-`, `.`, `_` or `~` (RFC 3986 §2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    /// Encodes all bytes except unreserved ones and those in `keeping`.
    public static func encode(_ text: String, keeping kept: String = "") -> String {
        let kept = Array(kept.utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || kept.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [0x25, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
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
    static func decodedBytes(_ text: some StringProtocol, isForm: Bool = false) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
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
        var encoded: [UInt8] = []
        for byte in bytes {
            encoded += byte < 0x80 ? [byte] : [0x25, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
