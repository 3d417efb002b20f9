import JobCore

/// What a turn decided: written first, done and told after.
struct PendingTurn {
    /// New rows and events; changed jobs are added from ``changed`` at the commit.
    var changes = StoreChanges()
    /// Jobs that changed, as they are now.
    var changed: [JobID: Job] = [:]
    /// What the outside is to do, in order.
    var deeds: [(JobID, JobAction)] = []
    /// Requests for the transfer thread, built when the slot was given.
    var transfers: [TransferRequest] = []
    /// Documents for the detectors.
    var detections: [DetectionRequest] = []
    /// What detectors found in this turn, by the document's SHA-256.
    var results: [String: (job: JobID, result: DetectionResult)] = [:]
    /// Progress to tell listeners; not durable.
    var progress: [EventBus.Item] = []
    /// Answers to those who asked: nil when all went well.
    var replies: [@Sendable (ControlError?) -> Void] = []
    /// A job that the turn accepts; their ids follow each other.
    func newJob(_ job: JobID) -> Job? {
        guard let first = changes.newJobs.first else { return nil }
        let index = Int(job.rawValue - first.id.rawValue)
        guard changes.newJobs.indices.contains(index) else { return nil }
        return changed[job] ?? changes.newJobs[index]
    }

    /// Jobs the turn touched, whose machines may be let go.
    var touched: Set<JobID> = []
}
