/// A reading of the steady clock, in microseconds: the clock that nobody can set.
///
/// It goes on while the machine is suspended, and while the daemon doesn't run. It began as a wall
/// clock's reading and is near to it where nobody ever set that, but has no meaning beside another
/// reading of its own. See ``SteadyClock``.
public struct SteadyTime: TimePoint {
    /// Microseconds since a moment that says nothing.
    public var microseconds: Int64

    /// A reading, by its microseconds.
    public init(microseconds: Int64) { self.microseconds = microseconds }
}
