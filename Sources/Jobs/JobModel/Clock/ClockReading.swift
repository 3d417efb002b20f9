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
