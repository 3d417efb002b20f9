import JobModel

/// Decides when it is time to commit.
struct CommitWindow {
    /// The minimum number of seconds between two commits.
    ///
    /// A commit costs the same for one job as for a dozen, so many small files are written several at a
    /// time; the first change after a pause is written without delay.
    static let interval = 0.010
    /// The seconds after which a commit that found the disk full is tried again.
    static let retryInterval = 1.0

    private var committedAt: Moment?
    private var retryAt: Moment?

    /// True if the last commit found the disk full, so that decisions have to wait.
    var isHeldUp: Bool { retryAt != nil }

    /// Returns whether pending changes should be written now, that is, always except shortly after
    /// another commit when no caller waits for an answer.
    func isOpen(now: Moment, isAwaited: Bool) -> Bool {
        guard let committedAt, !isAwaited else { return true }
        return now.seconds(since: committedAt) >= Self.interval
    }

    /// Returns whether a commit may be tried, which it may not in the second after the disk was full.
    func mayTry(now: Moment) -> Bool { retryAt.map { now >= $0 } ?? true }

    /// Notes a successful commit.
    mutating func committed(now: Moment) { committedAt = now }

    /// Notes that nothing is held up any longer.
    mutating func goOn() { retryAt = nil }

    /// Notes that a commit found the disk full.
    mutating func foundNoRoom(now: Moment) { retryAt = now.adding(seconds: Self.retryInterval) }

    /// The moment at which to retry the commit that was held up.
    var retriesAt: Moment? { retryAt }

    /// The moment from which pending changes may be written.
    var opensAt: Moment? { committedAt?.adding(seconds: Self.interval) }
}
