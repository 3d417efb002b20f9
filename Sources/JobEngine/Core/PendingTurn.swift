import JobCore

/// What a turn decided: written first, done and told after.
struct PendingTurn {
    /// New rows and events; changed jobs are added from ``changed`` at the commit.
    var changes = StoreChanges()
    /// Jobs that changed, as they are now.
    var changed: [JobID: LiveJob] = [:]
    /// What the outside is to do, in order.
    var deeds: [(JobID, JobDeed)] = []
    /// Requests for the transfer thread, built when the slot was given.
    var transfers: [TransferRequest] = []
    /// Documents for the detectors.
    var detections: [DetectionRequest] = []
    /// What detectors found in this turn, by the document's SHA-256.
    var results: [String: (job: JobID, result: DetectionResult)] = [:]
    /// Batches of which the last slice is in, and what is answered for them.
    var accepted: [(intake: EngineCore.Intake, answer: AcceptedBatch)] = []
    /// Answers to others who asked: nil when all went well.
    var replies: [@Sendable (ControlError?) -> Void] = []
    /// Jobs the turn touched, whose machines may be let go.
    var touched: Set<JobID> = []

    /// True when there is nothing to write, to do or to answer.
    var isEmpty: Bool {
        changes.isEmpty && changed.isEmpty && deeds.isEmpty && transfers.isEmpty && detections.isEmpty
            && accepted.isEmpty && replies.isEmpty
    }

    /// A job that the turn accepts, as it is now; nil for others.
    func newJob(_ job: JobID) -> Job? {
        // Their ids ascend: batches are numbered in the order in which they come.
        let jobs = changes.newJobs
        var range = jobs.startIndex..<jobs.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if jobs[middle].id == job { return changed[job]?.job ?? jobs[middle] }
            range = jobs[middle].id < job ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
