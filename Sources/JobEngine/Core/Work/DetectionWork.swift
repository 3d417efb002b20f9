import JobCore

/// Hands documents to free detectors, takes in what they find, and gives known results to documents whose
/// bytes have been looked at before.
struct DetectionWork {
    private let bench: Workbench
    /// What detectors found since the last commit, by the document's SHA-256.
    private var results: [String: (job: JobID, result: DetectionResult)] = [:]
    /// Whether the last turn left documents that could have been begun with.
    private(set) var hasMore = false

    init(bench: Workbench) { self.bench = bench }

    /// Begins with the documents that are next.
    ///
    /// Known results take no detector's time, so a turn may have very many of them: it takes a slice.
    mutating func begin(now: Moment) throws(StoreFailure) {
        hasMore = false
        for _ in 0..<bench.configuration.sliceSize {
            guard let job = bench.queues.documents.next() else { return }
            guard let live = try bench.live(job), live.machine.job.state == .stored,
                let path = live.machine.job.path
            else {
                bench.queues.documents.finish(job)
                continue
            }
            if let result = try knownResult(for: live.machine.job) {
                try bench.step(job, .detectionShared(result), now: now)
                bench.queues.documents.finish(job)
                continue
            }
            try look(at: path, for: live, now: now)
        }
        hasMore = true
    }

    private mutating func look(at path: String, for live: LiveJob, now: Moment) throws(StoreFailure) {
        let job = live.machine.job.id
        let engine = live.machine.job.detectionDemand?.engine
        // Whoever looked before has ended without an answer, so often that nobody is to look again.
        let isGivenUp = live.machine.isNotToBeLookedAt
        try bench.step(job, .detectionBegan, now: now)
        if let engine, !bench.configuration.engines.contains(engine) {
            // It was there when somebody asked, and then the settings changed.
            let result = DetectionResult(outcome: .skipped, engine: engine.rawValue)
            return try ended(job, result, now: now)
        }
        if isGivenUp { return try ended(job, crash(of: engine), now: now) }
        bench.outbox.look(DetectionRequest(job: job, path: path, engine: engine))
    }

    /// Takes in what a detector found.
    mutating func ended(_ job: JobID, _ result: DetectionResult, now: Moment) throws(StoreFailure) {
        var result = result
        if let live = try bench.live(job) { result.isOfChangedDocument = !isAsHashed(live.machine.job) }
        let after = try bench.step(job, .detectionEnded(result), now: now)?.live.job
        // It is looked at once more.
        if after?.state == .detecting { return }
        bench.queues.documents.finish(job)
        if result.isShareable, let sha256 = after?.sha256, after?.detection == result {
            results[sha256] = (job, result)
        }
    }

    /// What was found is in the store.
    mutating func committed() { results.removeAll(keepingCapacity: true) }

    /// Before the daemon goes down: what its detectors were at is no fault of the documents.
    func settle(now: Moment) throws(StoreFailure) {
        for job in bench.jobs.ids(in: .detecting) { try bench.step(job, .detectionInterrupted, now: now) }
    }

    /// What is said of a document that ended whoever looked at it, the daemon included.
    private func crash(of engine: DetectionEngine?) -> DetectionResult {
        let detector = bench.ports.detection.identity
        if let engine, engine.rawValue != detector?.engine {
            return DetectionResult(outcome: .crashed, engine: engine.rawValue)
        }
        return DetectionResult(
            outcome: .crashed,
            engine: detector?.engine ?? "",
            parameters: detector?.parameters ?? ""
        )
    }

    /// The result of another document of the same bytes, by the engine and the parameters that would
    /// look at this one; nil where there is none, or where somebody wants a detector to look.
    private func knownResult(for job: Job) throws(StoreFailure) -> DetectionResult? {
        guard job.detectionDemand == nil, let sha256 = job.sha256,
            let detector = bench.ports.detection.identity, isAsHashed(job)
        else { return nil }
        // What this turn has learned is not in the store yet.
        var known = results[sha256]
        if known == nil { known = try bench.ports.store.detection(ofBytes: sha256, by: detector) }
        guard let known, known.job != job.id, known.result.engine == detector.engine,
            known.result.parameters == detector.parameters
        else { return nil }
        return DetectionResult(sharing: known.result, of: known.job)
    }

    /// Whether a document is the file that was hashed, and nobody has written to it since.
    ///
    /// Asked when a look has ended it holds for the whole look, since a change leaves its trace.
    private func isAsHashed(_ job: Job) -> Bool {
        guard let mark = job.documentMark, let path = job.path else { return false }
        return bench.ports.documents.mark(ofDocument: path) == mark
    }
}
