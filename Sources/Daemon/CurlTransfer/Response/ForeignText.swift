/// Texts of strangers, who send bytes.
enum ForeignText {
    /// Returns a header field's value, or what was taken from one, as text: UTF-8, and where it isn't that,
    /// ISO 8859-1, as in browsers, which fields were in before (RFC 9110 §5.5).
    static func field(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        return String(scalars)
    }
}
