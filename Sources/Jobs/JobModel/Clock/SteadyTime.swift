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
