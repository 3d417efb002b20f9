/// The time on the machine's clocks at one moment.
public struct ClockReading: Hashable, Sendable {
    /// The wall clock.
    public var wall: Timestamp
    /// Microseconds since the machine booted, those in which it was suspended included (CLOCK_BOOTTIME,
    /// clock_gettime(2)).
    public var sinceBoot: Int64

    /// A reading of both clocks.
    public init(wall: Timestamp, sinceBoot: Int64) {
        self.wall = wall
        self.sinceBoot = sinceBoot
    }
}
