/// The treatment of URLs that would be fetched without TLS.
public enum PlainHTTP: String, CaseIterable, Sendable {
    /// They are fetched as they are.
    case allow
    /// They are fetched as `https:`.
    case upgrade
    /// They are refused.
    case refuse
}
