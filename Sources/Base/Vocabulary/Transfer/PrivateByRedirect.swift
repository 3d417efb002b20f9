/// The treatment of redirects from a public address to a private one, which nobody has typed.
public enum PrivateByRedirect: String, CaseIterable, Sendable {
    /// They are refused.
    case refuse
    /// They are followed.
    case allow
}
