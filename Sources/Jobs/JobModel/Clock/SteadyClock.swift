/// A clock that nobody can set, and that continues from one run of the daemon to the next.
///
/// While the machine runs, it follows the time since boot, whatever the wall clock shows. Between two
/// runs of the machine, only the wall clock can tell how much time passed: the steady clock advances by
/// as much, or stands still if the wall clock was set back.
public struct SteadyClock: Hashable, Sendable {
    /// The id of the machine's run.
    public let boot: String?
    /// The microseconds by which this clock is ahead of the time since boot.
    public let ahead: Int64

    /// Continues a stored clock, or starts with the wall clock's time.
    public init(goingOnWith stored: StoredClock?, boot: String?, reading: ClockReading) {
        self.boot = boot
        guard let stored else {
            ahead = reading.wall.microseconds &- reading.sinceBoot
            return
        }
        if let boot, boot == stored.boot {
            ahead = stored.ahead
            return
        }
        let passed = max(0, reading.wall.seconds(since: stored.moment.wall))
        ahead = stored.moment.steady.adding(seconds: passed).microseconds &- reading.sinceBoot
    }

    /// Returns the moment of a reading of the machine's clocks.
    public func moment(_ reading: ClockReading) -> Moment {
        Moment(wall: reading.wall, steady: SteadyTime(microseconds: reading.sinceBoot &+ ahead))
    }

    /// Returns the state to store at a moment.
    public func stored(at moment: Moment) -> StoredClock {
        StoredClock(boot: boot, ahead: ahead, moment: moment)
    }
}

extension StoredClock {
    /// The longest interval in seconds at which the clock is stored while there is activity.
    public static let interval = 60.0

    /// Returns whether the clock should be stored again, because that was long ago or the wall clock has
    /// been set since.
    public func isOutdated(at now: Moment) -> Bool {
        let passed = now.seconds(since: moment)
        return passed >= Self.interval || abs(now.wall.seconds(since: moment.wall) - passed) > 1
    }

    /// Returns the clock's state at the time of an event if that was after it was stored; otherwise this
    /// state.
    ///
    /// An event implausibly long after that is damaged, since the clock is stored often, and is ignored.
    public func noEarlier(than event: Moment) -> StoredClock {
        guard (0...2 * Self.interval).contains(event.seconds(since: moment)) else { return self }
        return StoredClock(boot: boot, ahead: ahead, moment: event)
    }
}

/// A reading of the steady clock, in microseconds.
///
/// The clock runs on while the machine is suspended, and while the daemon isn't running. It started from
/// the wall clock and stays near it if nobody ever sets that, but only differences between readings have
/// a meaning. See ``SteadyClock``.
public struct SteadyTime: TimePoint {
    /// The microseconds since an arbitrary moment.
    public var microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }
}

/// A reading of the machine's clocks at one moment.
public struct ClockReading: Hashable, Sendable {
    /// The wall clock's time.
    public var wall: Timestamp
    /// The microseconds since the machine booted, including those in which it was suspended
    /// (CLOCK_BOOTTIME, clock_gettime(2)).
    public var sinceBoot: Int64

    public init(wall: Timestamp, sinceBoot: Int64) {
        self.wall = wall
        self.sinceBoot = sinceBoot
    }
}

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
