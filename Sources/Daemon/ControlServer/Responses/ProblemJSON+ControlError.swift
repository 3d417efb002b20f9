import ControlAPI
import JobCore
import JobEngine
import JobModel
import Vocabulary

extension ProblemJSON {
    /// Creates the problem for an error of the engine; `storeFree` is how many bytes are free on the job store's
    /// disk, if anybody knows.
    init(_ error: ControlError, storeFree: Int64? = nil) {
        switch error {
        case .noSuchJob(let job): self = .noSuchJob(job)
        case .notPossible(_, _, let reason): self.init(.notPossible, reason)
        case .noSuchEngine(let engine):
            let remedy =
                engine.needsModel
                ? "get a network with \"facefetch model install\", or set detection.model to the file of one, and "
                    + "reload the daemon"
                : "see why in the daemon's log, and restart it"
            self.init(.notPossible, "this daemon has no engine \(engine.rawValue): \(remedy)")
        case .noLease(let batch):
            self.init(.notPossible, "batch \(batch.rawValue) was posted without a lease")
        case .idempotencyKeyReused:
            self.init(
                .idempotencyKeyReused,
                "this Idempotency-Key has been used before with another body; use a new key"
            )
        case .outOfSpace:
            self.init(
                .outOfSpace,
                "the disk is full" + Self.numbers(storeFree) + "; make room, then try again"
            )
        case .notStarted(let reason):
            self.init(.busy, "the daemon waits before it starts: \(reason); try again after that")
        case .stopping: self.init(.stopping, "the daemon is stopping; try again once it is running")
        }
    }

    /// Returns words for how much is free and how much is needed, as far as anybody knows.
    private static func numbers(_ free: Int64?) -> String {
        let needed = StoreRoom.reserveLength + StoreRoom.margin
        guard let free else { return "" }
        let now = "\(free >> 20) MiB are free where the job store is"
        return free < needed
            ? ": \(now), and nothing new is begun until \(needed >> 20) are"
            : ", or a quota is used up: \(now)"
    }

    /// Returns the problem that there is no job with this id.
    static func noSuchJob(_ job: JobID) -> ProblemJSON {
        ProblemJSON(.noSuchJob, "there is no job \(job.rawValue)")
    }

    /// Returns the problem that there is no batch with this id.
    static func noSuchBatch(_ batch: BatchID) -> ProblemJSON {
        ProblemJSON(.noSuchBatch, "there is no batch \(batch.rawValue)")
    }
}
