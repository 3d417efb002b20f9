import Vocabulary

/// Texts of strangers, who send bytes.
public enum ForeignText {
    /// Returns a header field's value, or what was taken from one, as text: UTF-8, and where it isn't that,
    /// ISO 8859-1, as in browsers, which fields were in before (RFC 9110 §5.5).
    public static func field(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        return String(scalars)
    }

    /// Returns a URL or a reference as text: UTF-8, and where it isn't that, with its bytes percent-encoded as
    /// they are.
    ///
    /// A URL is bytes, whatever they mean to its server, who is asked for the same ones.
    public static func url(_ bytes: some Collection<UInt8>) -> String {
        PercentEncoding.text(ofURL: bytes)
    }
}
