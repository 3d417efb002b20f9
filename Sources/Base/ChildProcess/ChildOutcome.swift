/// The way in which a child's run was brought to its end.
public enum ChildOutcome: Hashable, Sendable {
    /// It was killed on request.
    case killed
    /// It was told to finish, and ended in this way.
    case finished(ChildEnd)
    /// It broke the protocol, which was told when it did, and was killed for it.
    case misbehaved(Misbehaviour)
    /// It ended by itself, or could not be started.
    case unexpected(ChildEnd)
}
