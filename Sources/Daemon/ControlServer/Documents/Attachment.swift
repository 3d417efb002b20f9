import HTTPTypes
import Vocabulary

/// The head of an answer that is to be saved, whatever it holds.
///
/// A document is a stranger's: what calls itself a picture may be HTML or SVG, and must not become a
/// part of any page.
enum Attachment {
    /// The header fields of a document of so many bytes.
    static func fields(name: String, length: Int) -> HTTPFields {
        var fields: HTTPFields = [
            .contentType: "application/octet-stream",
            .contentLength: "\(length)",
            .contentDisposition: disposition(name),
            .contentSecurityPolicy: "default-src 'none'; sandbox",
            .xContentTypeOptions: "nosniff",
            .cacheControl: "no-store",
        ]
        fields[.acceptRanges] = "none"
        return fields
    }

    /// A Content-Disposition with a name (RFC 6266 §4.3, RFC 8187 §3.2.1).
    static func disposition(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar in
                let isPlain =
                    (0x20...0x7E).contains(scalar.value) && scalar != "\"" && scalar != "\\" && scalar != "%"
                return isPlain ? Character(scalar) : "_"
            }
        )
        var field = "attachment; filename=\"\(plain)\""
        // Unreserved characters are among the attr-chars of RFC 8187; all others may be encoded.
        // What looks like a word of mail (RFC 2047) is one to browsers where the name is plain.
        if plain != name || name.contains("=?") {
            field += "; filename*=UTF-8''\(PercentEncoding.encode(name))"
        }
        return field
    }
}
