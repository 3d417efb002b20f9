/// The numbers of a detector pool's processes at one moment, by what they do.
public struct DetectorPoolStatus: Hashable, Sendable {
    /// Started, and not ready yet.
    public var starting = 0
    /// Ready, with nothing to look at.
    public var idle = 0
    /// Looking at a document.
    public var busy = 0
    /// Told to stop, and not gone yet.
    public var ending = 0
    /// How many have been started since the pool was made.
    public var started = 0

    /// No processes.
    public init() {}

    /// Takes in the processes of another pool.
    public mutating func add(_ other: DetectorPoolStatus) {
        starting += other.starting
        idle += other.idle
        busy += other.busy
        ending += other.ending
        started += other.started
    }
}
