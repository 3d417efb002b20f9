/// What is done with a job whose nodes have died with it.
public enum Poison: Hashable, Sendable {
    /// It goes with others.
    case none
    /// It goes alone, so that it takes nothing with it, and it is known who is to blame.
    case suspect
    /// It has failed.
    case proven

    /// From so many takeovers on a job goes alone.
    public static let suspectFrom = 3
    /// From so many takeovers on a job has failed.
    public static let provenFrom = 5

    /// Judges a job by how many nodes have died with it.
    public init(takeovers: Int) {
        self = takeovers >= Self.provenFrom ? .proven : takeovers >= Self.suspectFrom ? .suspect : .none
    }
}
