import ControlAPI
import JobCore
import JobEngine

extension EventJSON {
    /// An event with its kind's own fields.
    init(_ event: JobEvent) {
        self.init(
            id: event.id,
            time: event.time.wall.rfc3339,
            elapsed: event.elapsed,
            batch: event.batch.rawValue,
            job: event.job.rawValue,
            kind: .known(Kind(event.kind)),
            message: event.message
        )
        switch event.kind {
        case .started(let url): self.url = url
        case .progressed(let name, let percent):
            self.name = name
            self.percent = percent
        case .received(let name, let bytes):
            self.name = name
            self.bytes = bytes
        case .resumed(let name, let offset, let total):
            self.name = name
            self.bytes = offset
            self.totalBytes = total
        case .restarted(let name, let reason):
            self.name = name
            self.reason = reason
        case .finished(let url, let path):
            self.url = url
            self.path = path
        case .stored(let name, let path):
            self.name = name
            self.path = path
        case .waiting(let name, let until, let reason):
            self.name = name
            self.until = until.rfc3339
            self.reason = reason.message
            self.code = reason.code.rawValue
        case .failed(let url, let failure):
            self.url = url
            self.reason = failure.message
            self.code = failure.code.rawValue
        case .paused(let name), .continued(let name), .cancelled(let name), .detectionStarted(let name),
            .detectionDeferred(let name):
            self.name = name
        case .detectionFinished(let name, let count, let origin):
            self.name = name
            self.faceCount = count
            self.sharedFrom = origin?.rawValue
        case .detectionFailed(let name, let outcome, let origin):
            self.name = name
            self.outcome = .known(DetectionJSON.Outcome(outcome))
            self.sharedFrom = origin?.rawValue
        }
    }
}

extension ProgressJSON {
    /// How far a transfer has come.
    init(_ job: JobID, _ batch: BatchID, _ transfer: LiveTransfer) {
        self.init(
            job: job.rawValue,
            batch: batch.rawValue,
            bytes: transfer.bytes,
            totalBytes: transfer.total,
            bytesPerSecond: transfer.bytesPerSecond
        )
    }
}
