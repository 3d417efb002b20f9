import JobCore
import JobModel

/// The engine's queues: of transfers waiting for a permit, documents waiting for a detector, and retries
/// waiting for their time.
struct Queues {
    /// The jobs that wait for a permit or have one.
    var transfers: TransferQueue
    /// The documents that wait to be looked at, or are being looked at.
    var documents: DetectionGate
    /// The jobs that wait for their next attempt.
    var retries = RetryTimers()

    /// Carries out a change to the queues; returns an input for the job if it needs to hear of the
    /// result.
    mutating func carryOut(_ move: QueueMove, for job: Job, now: Moment? = nil) -> JobInput? {
        switch move {
        case .enqueueTransfer:
            transfers.enqueue(
                job.id,
                host: job.url.hostKey,
                priority: job.priority,
                of: job.flow,
                weight: job.weight
            )
        case .dequeueTransfer: transfers.remove(job.id)
        case .releasePermit: transfers.release(job.id, at: job.bytes, now: now)
        case .wake(let until): retries.set(job.id, until: until)
        case .enqueueDetection:
            documents.enqueue(job)
            if !documents.isOpen { return .detectionDeferred }
        case .moveDetection:
            documents.move(job.id, priority: job.priority, of: job.flow, weight: job.weight)
        case .dequeueDetection: documents.remove(job.id)
        }
        return nil
    }
}
