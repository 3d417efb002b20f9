import Vocabulary

/// Decodes bytes that should be UTF-8.
enum TextDecoder {
    /// Decodes bytes.
    ///
    /// What should be UTF-8 and isn't is taken for ISO 8859-1, as nearly all such lists are; a URL is bytes,
    /// which are percent-encoded as they are.
    static func text(_ bytes: some Collection<UInt8>, isURL: Bool = false) -> String {
        if isURL || beginsURL(bytes) { return PercentEncoding.text(ofURL: bytes) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }

    private static func beginsURL(_ bytes: some Collection<UInt8>) -> Bool {
        // In JSON slashes may be escaped.
        let start = bytes.prefix(10).filter { $0 != UInt8(ascii: "\\") }.map { $0 | 0x20 }
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }
}
