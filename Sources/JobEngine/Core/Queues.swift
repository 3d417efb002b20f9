import JobCore

/// The engine's queues: what comes next, once there is a permit, a detector, or its time has come.
struct Queues {
    /// Jobs that wait for a permit, and those that have one.
    var transfers: TransferQueue
    /// Documents that wait to be looked at, and those that are.
    var documents: DetectionGate
    /// Jobs that wait for their next try.
    var retries = RetryTimers()

    /// Moves a job; returns what the job has to hear of that, if anything.
    mutating func carryOut(_ move: QueueMove, for job: Job) -> JobInput? {
        switch move {
        case .enqueueTransfer: transfers.enqueue(job.id, host: job.url.hostKey, priority: job.priority)
        case .dequeueTransfer: transfers.remove(job.id)
        case .releasePermit: transfers.release(job.id)
        case .wake(let until): retries.set(job.id, until: until)
        case .enqueueDetection:
            // Alone where the daemon has ended before, while it was looked at.
            documents.enqueue(job.id, mark: Self.mark(of: job), alone: job.detectionAttempts > 0)
            if !documents.isOpen { return .detectionDeferred }
        case .dequeueDetection: documents.remove(job.id)
        }
        return nil
    }

    /// By what the gate tells documents apart: 64 bits of their SHA-256.
    private static func mark(of job: Job) -> DetectionGate.Mark? {
        guard job.detectionDemand == nil, let sha256 = job.sha256 else { return nil }
        return DetectionGate.Mark(sha256.prefix(16), radix: 16)
    }
}
