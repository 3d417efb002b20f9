import JobCore
import JobModel
import JobStore

extension JobStore {
    /// The state from which an engine would start, without the jobs that only wait.
    package func storedState() throws(StoreFailure) -> StoredState {
        var waiting = WaitingJobs(
            transfers: TransferQueue(limits: .init(total: 1, perHost: 1)),
            documents: DetectionGate(isOpen: false, capacity: 1)
        )
        return try storedState(filling: &waiting)
    }
}
