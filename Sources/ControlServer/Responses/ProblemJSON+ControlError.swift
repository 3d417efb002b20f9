import ControlAPI
import JobCore
import JobEngine

extension ProblemJSON {
    /// Why the engine did not do as asked.
    init(_ error: ControlError) {
        switch error {
        case .noSuchJob(let job): self = .noSuchJob(job)
        case .notPossible(_, _, let reason): self.init(.notPossible, reason)
        case .noSuchEngine(let engine):
            let remedy =
                DetectionJSON.Engine(rawValue: engine.rawValue)?.needsModel ?? false
                ? "set detection.model to its file and restart the daemon"
                : "see why in the daemon's log, and restart it"
            self.init(.notPossible, "this daemon has no engine \(engine.rawValue): \(remedy)")
        case .idempotencyKeyReused:
            self.init(
                .idempotencyKeyReused,
                "this Idempotency-Key was used with another body before; use a new key"
            )
        case .outOfSpace:
            self.init(
                .outOfSpace,
                "the disk is full, so nothing can be written down; make room and ask again"
            )
        case .stopping: self.init(.stopping, "the daemon is stopping; try again when it runs")
        }
    }

    /// There is no job of this id.
    static func noSuchJob(_ job: JobID) -> ProblemJSON {
        ProblemJSON(.noSuchJob, "there is no job \(job.rawValue)")
    }

    /// There is no batch of this id.
    static func noSuchBatch(_ batch: BatchID) -> ProblemJSON {
        ProblemJSON(.noSuchBatch, "there is no batch \(batch.rawValue)")
    }
}
