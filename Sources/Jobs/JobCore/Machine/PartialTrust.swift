/// This run's knowledge of a partial beyond what is stored: the origin of the bytes in it.
struct PartialTrust: Hashable, Sendable {
    /// The state of the running transfer's answer, from which on it writes to the partial.
    private enum Answer: Hashable {
        /// There is no transfer.
        case none
        /// There is no answer yet: the partial is as an earlier run of the machine may have left it.
        case awaited(boot: String?)
        /// The body has begun.
        case begun
    }

    private var answer = Answer.none
    /// True if the partial's content can't be trusted, and must be removed as soon as nobody uses it.
    var isBad = false

    /// True if the partial holds what a transfer of this run has left there.
    var isOfThisRun: Bool { answer == .begun }

    /// Notes that a transfer is about to begin, in the run of the machine that `boot` identifies.
    mutating func awaitAnswer(boot: String?) { answer = .awaited(boot: boot) }

    /// Notes that a body has been accepted, and returns the run of the machine from which the partial's
    /// content now dates; until here it was `boot`.
    ///
    /// Before the first body, the partial may hold more than was synced before a power cut.
    mutating func bodyBegan(after boot: String?) -> String? {
        guard case .awaited(let boot) = answer else { return boot }
        answer = .begun
        return boot
    }

    /// Forgets whose bytes the partial holds.
    ///
    /// The file may remain for a while. Its content dates from no run of the machine until another body
    /// begins.
    mutating func forget(boot: String?) {
        if answer == .begun { answer = .awaited(boot: boot) }
    }
}
