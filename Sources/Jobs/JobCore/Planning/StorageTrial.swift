import JobModel

/// The times at which it is tried whether anything can be written to the directories of partials and documents, and
/// what follows from the answers.
///
/// A disk that fails may take very long to answer, or never answer, so somebody else tries, and says what came of it.
/// No more than one try is under way, but for those that may never come back.
public struct StorageTrial: Hashable, Sendable {
    /// The seconds after which a try that hasn't come back says that the disk doesn't answer.
    ///
    /// Disks that sleep take up to half a minute to spin up, and a file server may be as busy.
    public static let patience = 30.0
    /// The seconds after which people are told what is waited for.
    public static let slowness = 5.0
    /// The seconds after which another try is begun beside one that doesn't come back, and four times as many each time
    /// from there: whoever hangs in a disk or file server that has gone may do so for ever, also when it is there again.
    public static let renewal = 300.0
    /// The most tries that may be under way.
    public static let mostTries = 4
    /// The seconds from an answer to the next try, while nothing can be written: at first, and at most; each time twice
    /// as many.
    public static let intervals: ClosedRange<Double> = 1...30
    /// The seconds without a word of any work that the disk was given, after which it is tried.
    public static let quiet = 10.0

    /// The bytes that a try takes for a moment, which a quota has to allow.
    public static let room: Int64 = 8 << 20

    /// The reason for which nothing could be written, by the last answer; nil if it could be.
    public private(set) var refusal: String?
    /// The moment at which the present try began.
    private var askedAt: Moment?
    /// The tries that were begun beside it, and the moment of the last one.
    private var renewals = 0
    private var renewedAt: Moment?
    private var answeredAt: Moment?
    /// The number of refusals in a row.
    private var refusals = 0
    private var interval: Double { Self.intervals.doubled(times: refusals - 1) }
    /// True if something was refused that no try has been begun for.
    private var isDoubted = false
    /// The moment at which work was given that no word has come of.
    private var givenAt: Moment?

    /// Directories that can be written to, as far as is known.
    public init() {}

    /// True if it isn't known what a refusal says, because no try for it has come back, and not for too long yet.
    public func isOpen(now: Moment) -> Bool {
        refusal == nil && !isSilent(now: now) && (isDoubted || askedAt != nil)
    }

    /// Returns whether the present try has not come back for so long that nobody waits for it any more.
    public func isSilent(now: Moment) -> Bool {
        askedAt.map { now.seconds(since: $0) >= Self.patience } ?? false
    }

    /// Returns whether the present try has been under way for so long that people should know what is waited for.
    public func isSlow(now: Moment) -> Bool {
        askedAt.map { now.seconds(since: $0) >= Self.slowness } ?? false
    }

    /// Returns whether another try has to be begun now beside the present one, which may never come back, and counts
    /// on it.
    public mutating func renews(now: Moment) -> Bool {
        guard let due = renewal, due <= now else { return false }
        renewals += 1
        renewedAt = now
        return true
    }

    private var renewal: Moment? {
        guard let askedAt, renewals < Self.mostTries - 1 else { return nil }
        // There are few, and a disk may be away for long.
        return (renewedAt ?? askedAt).adding(seconds: Self.renewal * Double(1 << (2 * renewals)))
    }

    /// Notes that something could not be written.
    public mutating func doubt() { isDoubted = true }

    /// Notes that the disk was given work, of which there will be a word.
    public mutating func gave(now: Moment) { givenAt = givenAt ?? now }

    /// Notes that there was a word of work.
    public mutating func heard() { givenAt = nil }

    /// Returns whether a try has to be begun now, and counts on it.
    public mutating func begins(now: Moment) -> Bool {
        guard askedAt == nil else { return false }
        let isQuiet = givenAt.map { now.seconds(since: $0) >= Self.quiet } ?? false
        let isDue = refusal != nil && answeredAt.map { now.seconds(since: $0) >= interval } ?? true
        guard isDoubted || isQuiet || isDue else { return false }
        (isDoubted, askedAt, givenAt) = (false, now, nil)
        (renewals, renewedAt) = (0, nil)
        return true
    }

    /// Notes that the present try has come back, with the reason for which nothing could be written, if there was one.
    public mutating func answered(_ refusal: String?, now: Moment) {
        (self.refusal, askedAt, answeredAt) = (refusal, nil, now)
        refusals = refusal == nil ? 0 : refusals + 1
    }

    /// The moment at which there is something to decide although nothing else has happened; nil if there is none.
    public func decidesAt(now: Moment) -> Moment? {
        if let askedAt {
            if isSilent(now: now) { return renewal }
            return askedAt.adding(seconds: isSlow(now: now) ? Self.patience : Self.slowness)
        }
        if isDoubted { return now }
        if refusal != nil { return (answeredAt ?? now).adding(seconds: interval) }
        return givenAt?.adding(seconds: Self.quiet)
    }
}
