/// A proof that a file on a server is still the one that a partial came from.
///
/// RFC 9110 §13.1.5: If-Range takes a strong entity tag, or a date that is
/// strong in the sense of §8.8.2.2. Weak tags prove nothing and are not kept.
public enum Validator: Hashable, Sendable {
    /// A strong entity tag, quotes included.
    case entityTag(String)
    /// The Last-Modified date, verbatim.
    case lastModified(String)

    /// The longest entity tag that is kept, in bytes; servers have some dozens.
    static let maximumLength = 1024

    /// As it goes into the If-Range header field.
    public var headerValue: String {
        switch self {
        case .entityTag(let tag): tag
        case .lastModified(let date): date
        }
    }
}
