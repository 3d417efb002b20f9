import JobModel

/// What a host has brought lately, by which it gets places among all transfers.
///
/// A host that hasn't brought anything is asked once, then by two requests at once, and so on with each that brings
/// something. While nothing comes from a host, what is under way there takes no place from others.
struct HostReturns: Hashable, Sendable {
    /// The bytes of one file that are something.
    static let leastBytes: Int64 = 1024
    /// The seconds without anything after which a host is silent: one that hasn't answered yet, one that has, and one
    /// that has brought something before.
    ///
    /// A host loses nothing by it, and others may go beside it, so that it may be short.
    static let patience = (answer: 0.5, body: 1.0, more: 10.0)

    /// The number of transfers that brought something since one failed for lack of an answer.
    private(set) var proofs = 0
    /// True while nothing has come for too long.
    private(set) var isSilent = false
    /// The last moment at which something came, or else at which the first of what is under way was begun.
    private var since: Moment?
    private var isAnswered = false

    /// True if it has brought something.
    var isProven: Bool { proofs > 0 }

    /// The moment at which it is silent if nothing comes until then.
    var silentAt: Moment? {
        let patience = isProven ? Self.patience.more : isAnswered ? Self.patience.body : Self.patience.answer
        return isSilent ? nil : since?.adding(seconds: patience)
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

    /// Notes that a request ended for lack of an answer, or of bytes, which says nothing while others bring some.
    mutating func failed(now: Moment) {
        _ = fallSilent(now: now)
        if isSilent { proofs = 0 }
    }

    /// Notes that time has passed; returns whether the host has become silent by that.
    mutating func fallSilent(now: Moment) -> Bool {
        guard let silentAt, silentAt <= now else { return false }
        isSilent = true
        return true
    }
}
