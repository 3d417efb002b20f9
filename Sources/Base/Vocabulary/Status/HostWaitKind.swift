/// A cause for which nothing is begun at a host.
///
/// The raw values are the words of the API.
public enum HostWaitKind: String, CaseIterable, Sendable {
    /// The host asks everybody to wait.
    case asked
    /// The host fails: it answers 503 without a word of how long, or can't be reached.
    case failing
    /// The host's certificate isn't trusted.
    case certificate
}
