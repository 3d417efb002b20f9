/// On whose behalf something is read: those who wait for readers get them in turns.
public enum ListerAsker: Hashable, Sendable {
    /// A source, by its number.
    case source(Int64)
    /// A user who waits for the answer; nil for one who isn't known.
    case user(UInt32?)
    /// The watched folder.
    case folder
    /// The daemon itself, for what its administrator has written.
    case daemon

    /// True if somebody waits for the answer.
    public var isPerson: Bool { if case .user = self { true } else { false } }
}
