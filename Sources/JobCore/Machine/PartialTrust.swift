/// What this run of the daemon knows of a partial beside what is stored: whose bytes are in it.
struct PartialTrust: Hashable, Sendable {
    /// Whether the transfer under way has been answered, and so writes to the partial.
    private enum Answer: Hashable {
        /// There is none.
        case none
        /// It has not been answered: the partial is as an earlier run of the machine may have left it.
        case awaited(boot: String?)
        /// It has.
        case begun
    }

    private var answer = Answer.none
    /// True when what is in the partial can't be relied on, and is to go as soon as nobody uses it.
    var isBad = false

    /// Whether what the partial holds is what the transfer under way, or the last one, left there.
    var isOfThisRun: Bool { answer == .begun }

    /// A transfer is about to be begun, in this run of the machine.
    mutating func awaitAnswer(boot: String?) { answer = .awaited(boot: boot) }

    /// A body has been accepted; returns the run of the machine that vouches for the partial from now on,
    /// which was `boot` until here.
    ///
    /// Before the first body there may be more in it than was synced before a power cut.
    mutating func bodyBegan(after boot: String?) -> String? {
        guard case .awaited(let boot) = answer else { return boot }
        answer = .begun
        return boot
    }

    /// What the partial held is worth nothing any more.
    ///
    /// It may lie there for a while yet: no run of the machine vouches for it before a body has begun anew.
    mutating func forget(boot: String?) {
        if answer == .begun { answer = .awaited(boot: boot) }
    }
}
