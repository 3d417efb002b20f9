import JobCore

/// The part that fetches, as the engine sees it.
///
/// Answers come back through the engine's inbox.
public protocol TransferPort: Sendable {
    /// Begins transfers.
    func start(_ requests: [TransferRequest])
    /// Tells transfers that what they last told of is in the store: segments, or a start from zero.
    func confirm(_ jobs: [JobID])
    /// Ends transfers; each still answers that it ended.
    func stop(_ jobs: [JobID])
    /// Stops writing to partials, and lets connections wait; returns when nothing is being written, or
    /// false where that takes long.
    func holdWriting() -> Bool
    /// Goes on writing.
    func goOnWriting()
}
