/// The life of a node's daemon, by how long it says that it has been up: what was under way when a process died may
/// have ended it, and would end the next one.
public struct DaemonLife: Hashable, Sendable {
    /// The number of deaths, and the time within which they come, after which no suspects are claimed: systemd gives up
    /// a daemon that ends once more (`facefetchd.service`).
    public static let (most, within) = (4, Duration.seconds(60))

    /// The time when it answered last; nil if it hasn't, or nobody waits for it any more.
    private var heardAt: Duration?
    /// The times of its last deaths, oldest first.
    private var deaths: [Duration] = []
    /// True if a process has died, and nothing has been blamed for it yet.
    public private(set) var owesBlame = false

    /// A daemon of which nothing is known.
    public init() {}

    /// Notes an answer with the time that the daemon has been up: less than since the last one, and it is another
    /// process.
    public mutating func heard(up time: Duration, sentAt sent: Duration, answeredAt answered: Duration) {
        if let heardAt, time < sent - heardAt { died(at: sent) }
        heardAt = answered
    }

    /// Notes that it doesn't answer any more.
    public mutating func lost(at now: Duration) {
        heardAt = nil
        died(at: now)
    }

    private mutating func died(at now: Duration) {
        owesBlame = true
        deaths = deaths.suffix(Self.most - 1) + [now]
    }

    /// Notes that what was under way has been blamed.
    public mutating func blamed() { owesBlame = false }

    /// Returns whether suspects may be claimed.
    public func mayTry(at now: Duration) -> Bool {
        deaths.count < Self.most || now - (deaths.first ?? now) >= Self.within
    }
}
