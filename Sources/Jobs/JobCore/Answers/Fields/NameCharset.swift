import Vocabulary

/// A character set of names in header fields.
///
/// RFC 8187 §3.2.1 asks for UTF-8 alone, and RFC 5987 had ISO 8859-1 beside it. The others that were ever used are
/// not worth a converter that reads strangers' bytes in this process.
enum NameCharset {
    case utf8
    /// ISO 8859-1 and ASCII, which are windows-1252 to browsers (WHATWG, Encoding).
    case western

    /// Recognizes a name or label in either case.
    init?(_ label: some StringProtocol) {
        switch label.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "windows-1252", "cp1252", "us-ascii", "ascii":
            self = .western
        default: return nil
        }
    }

    /// Returns bytes as text; nil for what isn't UTF-8 where it should be.
    func decode(_ bytes: [UInt8]) -> String? {
        switch self {
        case .utf8: return String(validating: bytes, as: UTF8.self)
        case .western:
            var scalars = String.UnicodeScalarView()
            for byte in bytes {
                let scalar = (0x80...0x9F).contains(byte) ? Self.windows[Int(byte) - 0x80] : UInt32(byte)
                scalars.append(Unicode.Scalar(scalar) ?? Unicode.Scalar(byte))
            }
            return String(scalars)
        }
    }

    /// The characters of windows-1252 from 0x80 to 0x9F (WHATWG, Encoding, index windows-1252).
    private static let windows: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152,
        0x8D,
        0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161,
        0x203A,
        0x153, 0x9D, 0x17E, 0x178,
    ]

    /// Decodes values such as `UTF-8'en'%e2%82%ac` (RFC 8187 §3.2); nil for other character sets and broken escapes.
    static func decodeExtended(_ value: String) -> String? {
        guard let (charset, text) = split(value), let bytes = bytes(ofEncoded: text) else { return nil }
        return charset.decode(bytes)
    }

    /// Returns the character set and the encoded text of such a value; the language between them says nothing here.
    static func split(_ value: String) -> (charset: NameCharset, text: String)? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let charset = NameCharset(parts[0]) else { return nil }
        return (charset, String(parts[2]))
    }

    /// Returns the bytes of a percent-encoded text; nil if a percent sign encodes nothing.
    static func bytes(ofEncoded text: String) -> [UInt8]? {
        var rest = Array(text.utf8)[...]
        while let place = rest.firstIndex(of: UInt8(ascii: "%")) {
            guard PercentEncoding.begins(rest[place...]) else { return nil }
            rest = rest[(place + 3)...]
        }
        return PercentEncoding.decodedBytes(text)
    }
}
