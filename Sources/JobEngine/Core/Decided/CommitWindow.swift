import JobCore

/// When it is time to commit.
struct CommitWindow {
    /// The least seconds between two commits.
    ///
    /// A commit costs the same for one job as for a dozen, so that many small files are written some
    /// at a time; whoever comes first after a pause waits for nothing.
    static let interval = 0.004
    /// Seconds after which a commit that found the disk full is tried again.
    static let retryInterval = 1.0

    private var committedAt: Moment?
    private var retryAt: Moment?

    /// Whether the last commit found the disk full, so that what was decided waits.
    var isHeldUp: Bool { retryAt != nil }

    /// Whether what is pending is to be written now: always, but for the pause after another commit, for
    /// which nobody waits who is to be answered.
    func isOpen(now: Moment, isAwaited: Bool) -> Bool {
        guard let committedAt, !isAwaited else { return true }
        return now.seconds(since: committedAt) >= Self.interval
    }

    /// Whether a commit may be tried: not in the second after the disk was full.
    func mayTry(now: Moment) -> Bool { retryAt.map { now >= $0 } ?? true }

    /// A commit is through.
    mutating func committed(now: Moment) { committedAt = now }

    /// Nothing is held up any more.
    mutating func goOn() { retryAt = nil }

    /// A commit found the disk full.
    mutating func foundNoRoom(now: Moment) { retryAt = now.adding(seconds: Self.retryInterval) }

    /// When what was held up is tried again.
    var retriesAt: Moment? { retryAt }

    /// When what is pending may be written.
    var opensAt: Moment? { committedAt?.adding(seconds: Self.interval) }
}
