/// A proof that a file on a server is still the version that a partial came from.
///
/// If-Range takes a strong entity tag (RFC 9110 §13.1.5), or a date that is strong in the sense of
/// §8.8.2.2. Weak tags prove nothing and are not kept.
public enum Validator: Hashable, Sendable {
    /// A strong entity tag, quotes included.
    case entityTag(String)
    /// The Last-Modified date, verbatim.
    case lastModified(String)

    /// The longest entity tag kept, in bytes; servers' tags have a few dozen.
    public static let maximumLength = 1024

    /// The value for the If-Range header field.
    public var headerValue: String {
        switch self {
        case .entityTag(let tag): tag
        case .lastModified(let date): date
        }
    }
}
