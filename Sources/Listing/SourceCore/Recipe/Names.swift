import Vocabulary

/// Checks of names in recipes.
enum Names {
    private static func isWordCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool { isWordCharacter(byte) && byte != 0x5F }

    /// The name that no source may have, since it has a meaning of its own in the API's paths.
    static let reserved = "try"

    /// Returns whether a text is a plain word, as names of sources, secrets and regions are, and never a path.
    static func isWord(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 63 else { return false }
        return isLetterOrDigit(first) && bytes.allSatisfy { isWordCharacter($0) || $0 == 0x2D || $0 == 0x2E }
    }

    static func isVariable(_ text: some StringProtocol) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 63 else { return false }
        return isLetterOrDigit(first) && first > 0x39 && bytes.allSatisfy(isWordCharacter)
    }

    /// Returns whether a text is a valid name of a header field (token, RFC 9110 §5.6.2).
    static func isHeader(_ text: String) -> Bool {
        let marks = Array("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty && text.utf8.count <= 256
            && text.utf8.allSatisfy { isWordCharacter($0) || marks.contains($0) }
    }

    /// Returns why a recipe may not set a header field; nil if it may.
    static func forbiddenHeader(_ name: String) -> String? {
        switch name.lowercased() {
        case "host", "content-length", "transfer-encoding", "connection", "te", "upgrade", "keep-alive",
            "proxy-authorization", "proxy-connection", "trailer", "expect":
            "this field belongs to the connection, and can't be set here"
        case "range", "if-range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since",
            "accept-encoding":
            "this field is set by facefetch itself"
        default: nil
        }
    }

    /// Returns a text as a string literal of jq and JSON.
    static func quoted(_ text: String) -> String { JSONString.of(text, .byNumberWithDelete) }
}
