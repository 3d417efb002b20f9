import ControlAPI
import JobEngine
import JobModel
import Vocabulary

extension EventJSON {
    /// Creates the JSON of an event with its kind's own members.
    init(_ event: JobEvent) {
        let parts = event.kind.parts
        self.init(
            id: event.id,
            time: event.time.wall.rfc3339,
            elapsed: event.elapsed,
            batch: event.batch.rawValue,
            job: event.job.rawValue,
            kind: .known(parts.word),
            message: event.message
        )
        name = parts.name
        url = parts.url
        path = parts.path
        length = parts.length.map { .known($0) }
        percent = parts.percent
        bytes = parts.bytes
        totalBytes = parts.total
        reason = parts.reason
        code = parts.code?.rawValue
        until = parts.until?.rfc3339
        faceCount = parts.faceCount
        outcome = parts.outcome.map { .known($0) }
        sharedFrom = parts.sharedFrom?.rawValue
    }
}

extension ProgressJSON {
    /// Creates the JSON of a transfer's progress.
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
