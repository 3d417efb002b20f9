/// The number of a detector pool's processes in each state at one moment, and what is wrong with them.
public struct DetectorPoolStatus: Hashable, Sendable {
    /// Processes that have been started but aren't ready yet.
    public var starting = 0
    /// Processes that are ready, with nothing to look at.
    public var idle = 0
    /// Processes that are looking at a document.
    public var busy = 0
    /// Processes that have been told to stop but are still there.
    public var ending = 0
    /// The number of processes started since the pool was created.
    public var started = 0
    /// The reason why none can start, or why another engine looks than the settings ask for, as a sentence; nil if
    /// there is none.
    public var problem: String?

    public init() {}

    /// Adds the processes of another pool.
    public mutating func add(_ other: DetectorPoolStatus) {
        starting += other.starting
        idle += other.idle
        busy += other.busy
        ending += other.ending
        started += other.started
        problem = problem ?? other.problem
    }
}
