/// The state of the steady clock as it is stored, so that another run of the daemon can go on with it.
public struct StoredClock: Hashable, Sendable {
    /// The run of the machine in which it was stored (/proc/sys/kernel/random/boot_id); nil where that
    /// can't be told.
    public var boot: String?
    /// Microseconds by which the steady clock is ahead of the time since the machine booted: always the
    /// same while the machine runs.
    public var ahead: Int64
    /// When it was stored.
    public var moment: Moment

    /// A steady clock as of a moment.
    public init(boot: String?, ahead: Int64, moment: Moment) {
        self.boot = boot
        self.ahead = ahead
        self.moment = moment
    }
}
