import JobModel

/// What a host has brought lately, by which it gets places among all transfers.
///
/// A host that hasn't brought anything is asked once, then by two requests at once, and so on with each that brings
/// something. While nothing comes from a host, what is under way there takes no place from others.
struct HostReturns: Hashable, Sendable {
    /// The bytes of one file that are something.
    static let leastBytes: Int64 = 1024

    /// The seconds without anything after which a host is silent.
    struct Patience: Hashable, Sendable {
        /// Those with a host that hasn't answered yet: twice what answers take lately.
        ///
        /// A slow line isn't to be taken for silent hosts. The least is what 16 handshakes of 4 kB take over a line of
        /// 32 kB a second, and half more.
        private(set) var answer = answers.lowerBound
        /// Those with a host that has answered, and brought nothing before.
        static let body = 3.0
        /// Those with a host that has brought something before.
        static let more = 10.0
        private static let answers = 3.0...10.0

        /// Notes the seconds that the first answer of a host took.
        mutating func noteAnswer(after seconds: Double) {
            answer = min(max(seconds * 2, answer * 0.9, Self.answers.lowerBound), Self.answers.upperBound)
        }
    }

    /// The number of transfers that brought something since one failed for lack of an answer.
    private(set) var proofs = 0
    /// True while nothing has come for too long.
    private(set) var isSilent = false
    /// The last moment at which something came, or else at which the first of what is under way was begun.
    private(set) var since: Moment?
    private(set) var isAnswered = false

    /// True if it has brought something.
    var isProven: Bool { proofs > 0 }

    /// Returns the moment at which it is silent if nothing comes until then.
    func silentAt(_ patience: Patience) -> Moment? {
        let seconds = isProven ? Patience.more : isAnswered ? Patience.body : patience.answer
        return isSilent ? nil : since?.adding(seconds: seconds)
    }

    /// Notes that a request is begun beside so many.
    mutating func begin(beside active: Int, now: Moment) {
        if active == 0 { (since, isAnswered) = (now, false) }
    }

    /// Notes an answer, which may bring nothing.
    mutating func answered(now: Moment) { (isSilent, since, isAnswered) = (false, now, true) }

    /// Notes that something came, by a transfer of which that isn't known yet if it is `new`.
    mutating func brought(_ new: Bool, now: Moment) {
        (isSilent, since) = (false, now)
        if new { proofs += 1 }
    }

    /// Forgets what it has brought, where a request has ended for lack of an answer, or of bytes, and no other brings
    /// any; returns whether it has.
    mutating func failed(_ patience: Patience, now: Moment) -> Bool {
        fallSilent(patience, now: now)
        guard isSilent, isProven else { return false }
        proofs = 0
        return true
    }

    /// Notes that time has passed.
    mutating func fallSilent(_ patience: Patience, now: Moment) {
        if let at = silentAt(patience), at <= now { isSilent = true }
    }
}
