import SourceCore
import Vocabulary

/// Decodes bytes in one of the encodings that lists may have.
enum TextDecoder {
    case utf8, latin1, windows1252

    /// Creates the decoder for a recipe's word; UTF-8 for any other.
    init(_ word: String) {
        switch word {
        case "latin-1": self = .latin1
        case "windows-1252": self = .windows1252
        default: self = .utf8
        }
    }

    /// Decodes bytes.
    ///
    /// What should be UTF-8 and isn't is taken for ISO 8859-1, as nearly all such lists are; a URL is bytes,
    /// which are percent-encoded as they are.
    func text(_ bytes: some Collection<UInt8>, isURL: Bool = false) -> String {
        if case .utf8 = self {
            if isURL || Self.beginsURL(bytes) { return PercentEncoding.text(ofURL: bytes) }
            if let text = String(validating: bytes, as: UTF8.self) { return text }
        }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(scalar(byte)) }
        return String(text)
    }

    private static func beginsURL(_ bytes: some Collection<UInt8>) -> Bool {
        // In JSON slashes may be escaped.
        let start = bytes.prefix(10).filter { $0 != UInt8(ascii: "\\") }.map { $0 | 0x20 }
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }

    private func scalar(_ byte: UInt8) -> Unicode.Scalar {
        guard case .windows1252 = self, (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return Self.windows1252Scalars[Int(byte) - 0x80]
    }

    /// The characters 0x80 to 0x9F of windows-1252 (WHATWG Encoding §9); the five that it leaves out are
    /// control characters.
    static let windows1252Scalars = Array(
        "\u{20AC}\u{81}\u{201A}\u{0192}\u{201E}\u{2026}\u{2020}\u{2021}\u{02C6}\u{2030}\u{0160}\u{2039}\u{0152}\u{8D}\u{017D}\u{8F}\u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{02DC}\u{2122}\u{0161}\u{203A}\u{0153}\u{9D}\u{017E}\u{0178}"
            .unicodeScalars
    )
}
