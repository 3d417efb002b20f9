/// The stored state of the steady clock, from which the next run of the daemon continues it.
public struct StoredClock: Hashable, Sendable {
    /// The id of the machine's run in which it was stored (/proc/sys/kernel/random/boot_id); nil if
    /// unknown.
    public var boot: String?
    /// The microseconds by which the steady clock is ahead of the time since boot, constant while the
    /// machine runs.
    public var ahead: Int64
    /// The moment at which it was stored.
    public var moment: Moment

    public init(boot: String?, ahead: Int64, moment: Moment) {
        self.boot = boot
        self.ahead = ahead
        self.moment = moment
    }
}
