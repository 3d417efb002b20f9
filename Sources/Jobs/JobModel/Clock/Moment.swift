/// A moment, as read from both clocks.
///
/// The wall clock, which anybody may set, is for people to read. Anything measured, waited for or
/// compared uses the steady clock.
public struct Moment: Hashable, Comparable, Sendable {
    /// The time on the wall clock.
    public var wall: Timestamp
    /// The time on the steady clock.
    public var steady: SteadyTime

    public init(wall: Timestamp, steady: SteadyTime) {
        self.wall = wall
        self.steady = steady
    }

    /// Creates a moment from microseconds since 1970, as if nobody had ever set the wall clock.
    public init(microseconds: Int64) {
        self.init(
            wall: Timestamp(microseconds: microseconds),
            steady: SteadyTime(microseconds: microseconds)
        )
    }

    /// Returns the seconds from another moment to this one, whatever happened to the wall clock;
    /// negative if this is earlier.
    public func seconds(since other: Moment) -> Double { steady.seconds(since: other.steady) }

    /// Returns the moment this many seconds later, assuming that nobody sets the wall clock until then.
    public func adding(seconds: Double) -> Moment {
        Moment(wall: wall.adding(seconds: seconds), steady: steady.adding(seconds: seconds))
    }

    /// Returns what the wall clock will show at this moment, given how it is set now.
    ///
    /// This differs from ``wall`` if the clock has been set since, by more than time synchronization
    /// does.
    public func wall(asOf now: Moment) -> Timestamp {
        let shown = now.wall.adding(seconds: seconds(since: now))
        return abs(shown.seconds(since: wall)) < 1 ? wall : shown
    }

    /// Orders earlier moments first.
    public static func < (lhs: Moment, rhs: Moment) -> Bool { lhs.steady < rhs.steady }
}
