/// A moment, by the two clocks that there are.
///
/// What people read comes from the wall clock, which anybody may set. What is measured, waited for or
/// compared goes by the steady one.
public struct Moment: Hashable, Comparable, Sendable {
    /// What the wall clock shows.
    public var wall: Timestamp
    /// What the steady clock shows.
    public var steady: SteadyTime

    /// A moment by both clocks.
    public init(wall: Timestamp, steady: SteadyTime) {
        self.wall = wall
        self.steady = steady
    }

    /// A moment in a world where nobody has ever set the wall clock, by its microseconds since 1970.
    public init(microseconds: Int64) {
        self.init(
            wall: Timestamp(microseconds: microseconds),
            steady: SteadyTime(microseconds: microseconds)
        )
    }

    /// Seconds from another moment to this one, whatever became of the wall clock; negative when this
    /// is earlier.
    public func seconds(since other: Moment) -> Double { steady.seconds(since: other.steady) }

    /// The moment this many seconds later, if nobody sets the wall clock until then.
    public func adding(seconds: Double) -> Moment {
        Moment(wall: wall.adding(seconds: seconds), steady: steady.adding(seconds: seconds))
    }

    /// What the wall clock will show at this moment, going by how it is set now.
    ///
    /// Differs from ``wall`` where it was set since that was told, by more than clocks are kept in time by.
    public func wall(asOf now: Moment) -> Timestamp {
        let shown = now.wall.adding(seconds: seconds(since: now))
        return abs(shown.seconds(since: wall)) < 1 ? wall : shown
    }

    /// What happens earlier comes first.
    public static func < (lhs: Moment, rhs: Moment) -> Bool { lhs.steady < rhs.steady }
}
