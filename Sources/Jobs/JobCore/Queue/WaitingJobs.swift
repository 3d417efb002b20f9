import JobModel
import Vocabulary

/// The jobs that wait when the engine starts, as the store fills them in: a few words of each, since there may
/// be a million, and without their machines, which would have nothing to decide.
public struct WaitingJobs: Sendable {
    /// The jobs that wait for a permit.
    public var transfers: TransferQueue
    /// The documents that wait to be looked at.
    public var documents: DetectionGate
    /// The jobs whose documents wait although it hasn't been told that a held gate defers them, in ascending order.
    public var untold: [JobID] = []

    /// Empty queues.
    public init(transfers: TransferQueue, documents: DetectionGate) {
        self.transfers = transfers
        self.documents = documents
    }
}
