/// The clock that nobody can set, and that one run of the daemon takes over from the one before.
///
/// While the machine runs it follows the time since boot, whoever runs and whatever the wall clock
/// shows. What happened between two runs of the machine only the wall clock can tell: the steady clock
/// moves on by as much as that did, and stays where it was if that was set back.
public struct SteadyClock: Hashable, Sendable {
    /// The run of the machine.
    public let boot: String?
    /// Microseconds by which this clock is ahead of the time since the machine booted.
    public let ahead: Int64

    /// Goes on with what was stored, or begins with what the wall clock shows.
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

    /// The moment at which the machine's clocks showed this.
    public func moment(_ reading: ClockReading) -> Moment {
        Moment(wall: reading.wall, steady: SteadyTime(microseconds: reading.sinceBoot &+ ahead))
    }

    /// What is to be stored of it at a moment.
    public func stored(at moment: Moment) -> StoredClock {
        StoredClock(boot: boot, ahead: ahead, moment: moment)
    }
}

extension StoredClock {
    /// The most seconds between two times that the clock is stored while something happens.
    public static let interval = 60.0

    /// Whether the clock should be stored anew: it is long ago, or the wall clock has been set since.
    public func isOutdated(at now: Moment) -> Bool {
        let passed = now.seconds(since: moment)
        return passed >= Self.interval || abs(now.wall.seconds(since: moment.wall) - passed) > 1
    }

    /// The same clock as it was when an event happened, where the event may have come after it was
    /// stored; else as it is.
    ///
    /// One that could not have been, since the clock is stored often, is damage of that event's row.
    public func noEarlier(than event: Moment) -> StoredClock {
        guard (0...2 * Self.interval).contains(event.seconds(since: moment)) else { return self }
        return StoredClock(boot: boot, ahead: ahead, moment: event)
    }
}
