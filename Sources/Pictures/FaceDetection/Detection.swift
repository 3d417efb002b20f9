/// The outcome of looking for faces in a document.
public enum Detection: Sendable {
    /// The picture was read, and this is what was seen.
    case counted(Findings)
    /// The document can't be looked at, and why.
    case unreadable(reason: String)
}
