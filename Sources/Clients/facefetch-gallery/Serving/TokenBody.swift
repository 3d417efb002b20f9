/// The body that brings a token: `{"token":"…"}`.
enum TokenBody {
    /// The token in it; nil if it is anything else.
    ///
    /// No token has a character that JSON escapes.
    static func token(in bytes: some Collection<UInt8>) -> String? {
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        func skip(_ text: String) -> Bool {
            rest = rest.drop(while: \.isWhitespace)
            guard rest.hasPrefix(text) else { return false }
            rest = rest.dropFirst(text.count)
            return true
        }
        guard skip("{"), skip("\"token\""), skip(":"), skip("\"") else { return nil }
        let token = rest.prefix { $0.isHexDigit && $0.isASCII }
        rest = rest.dropFirst(token.count)
        guard skip("\""), skip("}"), rest.allSatisfy(\.isWhitespace), !token.isEmpty else { return nil }
        return String(token)
    }
}
