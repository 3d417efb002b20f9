import JobModel
import Vocabulary

/// The transfer thread, as the engine sees it.
///
/// Reports come back through the engine's inbox.
public protocol TransferPort: Sendable {
    /// Starts transfers.
    func start(_ requests: [TransferRequest])
    /// Tells transfers that their last report is in the store: either segments, or a start from zero.
    func confirm(_ jobs: [JobID])
    /// Returns what a killed daemon has left of a version of a file in a partial with holes, beyond what the
    /// store knows of it, although it isn't synced; nil if that isn't known, or a transfer has used the partial
    /// since.
    func survivingSegments(
        of job: JobID,
        at partialPath: String,
        total: Int64,
        validator: Validator
    ) -> SegmentMap?
    /// Stops transfers; each still reports that it has ended.
    func stop(_ jobs: [JobID])
    /// Ends those of the transfers that wait for others of their hosts (``TransferRequest/turn``), so that something else
    /// can go first; each still reports that. The others go on.
    func recall(_ jobs: [JobID])
    /// Forgets that a host, named like ``JobURL/hostKey``, has asked everybody to wait.
    func release(_ host: String)
    /// Limits all transfers together to this many bytes per second, or to what their configuration says if
    /// that is less; nil for that alone.
    func limitRate(to rate: Int64?)
    /// Stops writing to partials, making connections wait; returns once nothing is being written, or
    /// false if that takes long.
    func holdWriting() -> Bool
    /// Resumes writing.
    func goOnWriting()
}

extension TransferPort {
    /// Nothing, since none wait.
    public func recall(_ jobs: [JobID]) {}

    /// Nothing, since nothing is remembered of hosts.
    public func release(_ host: String) {}
}
