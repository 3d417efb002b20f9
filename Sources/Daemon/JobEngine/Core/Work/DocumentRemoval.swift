import JobModel
import Vocabulary

/// Removes documents that somebody asks to be removed, and answers once they are gone.
struct DocumentRemoval {
    private let bench: Workbench
    private var waiting: [JobID: [EngineInput.Reply<Job>]] = [:]

    init(bench: Workbench) { self.bench = bench }

    /// Removes a job's document, if it is what was stored.
    mutating func remove(
        _ job: JobID,
        isHidden: Bool,
        now: Moment,
        reply: @escaping EngineInput.Reply<Job>
    ) throws(StoreFailure) {
        guard !isHidden, let (live, refusal) = try bench.step(job, .removeDocument, now: now) else {
            return reply(.failure(.noSuchJob(job)))
        }
        if let refusal { return reply(.failure(.notPossible(job, live.job.state, refusal))) }
        waiting[job, default: []].append(reply)
    }

    /// Answers those who wait for what became of a job's document.
    mutating func ended(_ job: JobID, _ report: StorageReport) throws(StoreFailure) {
        guard report == .removed || report == .notRemoved, let replies = waiting.removeValue(forKey: job)
        else { return }
        guard let live = try bench.live(job) else {
            for reply in replies { reply(.failure(.noSuchJob(job))) }
            return
        }
        for reply in replies {
            if report == .removed {
                bench.answer(reply, live.job)
            } else {
                reply(.failure(.notPossible(job, live.job.state, Self.changed)))
            }
        }
    }

    /// Answers those who wait while nothing can be removed, because the directories are not where they should be.
    ///
    /// What was decided stays so: the store's thread removes the document once they are there again.
    mutating func tell(_ obstacle: String) throws(StoreFailure) {
        guard !waiting.isEmpty else { return }
        for (job, replies) in waiting {
            guard let live = try bench.live(job) else {
                for reply in replies { reply(.failure(.noSuchJob(job))) }
                continue
            }
            let words = "\(obstacle); its document is removed once that is mended"
            for reply in replies { reply(.failure(.notPossible(job, live.job.state, words))) }
        }
        waiting = [:]
    }

    private static let changed = "its document isn't the file that was stored, or can't be removed"

    /// Tells all waiting callers that the engine is stopping.
    func abandon() { for reply in waiting.values.joined() { reply(.failure(.stopping)) } }
}
