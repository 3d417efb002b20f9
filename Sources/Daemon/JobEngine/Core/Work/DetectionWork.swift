import JobModel
import Vocabulary

/// Hands documents to free detectors, takes in their results, and gives known results to documents with
/// the same content.
struct DetectionWork {
    private let bench: Workbench
    /// The results found since the last commit, by the document's SHA-256.
    private var results: [String: (job: JobID, result: DetectionResult)] = [:]
    /// The results that were asked for in this turn, by the document's SHA-256; nil for none.
    private var asked: [String: (job: JobID, result: DetectionResult)?] = [:]
    /// The documents of which it is still to be told that they wait for the held gate, the next one last.
    private var untold: [JobID] = []
    /// True if the last turn left documents that it could have begun.
    private var hasMoreToBegin = false
    /// The documents that detectors alone were kept out of.
    private var shutOut: [JobID: ShutOut] = [:]

    /// The looks in a row at a document for which its detectors could not open the directory, although that was there.
    private struct ShutOut {
        var looks = 0
        var since: Moment
    }

    /// The looks, and the seconds since the first of them, after which one counts: the directory wasn't away then.
    private static let patience = (looks: 10, seconds: 600.0)
    /// The most documents of which such looks are counted; they are counted anew if there are more.
    private static let mostShutOut = 10_000

    /// `untold` are the documents that were waiting when the engine started, in the order of their jobs, although
    /// nobody has been told that a held gate defers them.
    init(bench: Workbench, untold: [JobID] = []) {
        self.bench = bench
        self.untold = untold.reversed()
    }

    /// True if the last turn left something to do.
    var hasMore: Bool { hasMoreToBegin || !untold.isEmpty }

    /// Emits events for documents that wait because the gate is held, for a limited number in each turn.
    ///
    /// The others were told of as they were put into the gate.
    mutating func emitDeferred(atMost limit: Int, now: Moment) throws(StoreFailure) {
        guard !untold.isEmpty else { return }
        guard !bench.queues.documents.isOpen else {
            // They wait for nothing but their turn.
            untold = []
            return
        }
        let slice = untold.suffix(limit).reversed()
        untold.removeLast(slice.count)
        if untold.isEmpty { untold = [] }
        let jobs = slice.filter { !bench.ledger.isForgotten($0) }
        try bench.fetch(jobs)
        for job in jobs where bench.jobs[job]?.job.state == .stored {
            try bench.step(job, .detectionDeferred, now: now)
        }
    }

    /// Begins detection of the next documents.
    ///
    /// Known results take no detector's time, so there may be very many of them; each turn handles a
    /// limited number.
    mutating func begin(atMost limit: Int, now: Moment) throws(StoreFailure) {
        hasMoreToBegin = false
        asked.removeAll(keepingCapacity: true)
        for handled in 0..<limit {
            guard let job = bench.queues.documents.next() else { return }
            let wasInMemory = bench.jobs[job] != nil
            guard let live = try bench.live(job), live.machine.job.state == .stored,
                let request = DetectionRequest(live.machine.job)
            else {
                bench.queues.documents.finish(job)
                continue
            }
            if let result = try knownResult(for: live.machine.job) {
                if !wasInMemory {
                    // Documents that waited for the same content get this result as well; load them in one
                    // read.
                    let left = limit - handled - 1
                    try bench.fetch(
                        bench.queues.documents.following(left).filter { !bench.ledger.isForgotten($0) }
                    )
                }
                try bench.step(job, .detectionKnown(result), now: now)
                bench.queues.documents.finish(job)
                continue
            }
            try look(request, for: live, now: now)
        }
        hasMoreToBegin = true
    }

    private mutating func look(
        _ request: DetectionRequest,
        for live: LiveJob,
        now: Moment
    ) throws(StoreFailure) {
        let (job, engine) = (request.job, request.engine)
        // Looking at it has ended so often without an answer that it is given up.
        let isGivenUp = live.machine.isNotToBeLookedAt
        try bench.step(job, .detectionBegan, now: now)
        if let engine, !bench.configuration.engines.contains(engine) {
            // The engine was available when it was asked for, but the settings have changed.
            let result = DetectionResult(outcome: .skipped, engine: engine.rawValue)
            return try ended(job, result, now: now)
        }
        if isGivenUp { return try ended(job, crash(of: engine), now: now) }
        bench.look(request)
    }

    /// Handles a detector's result.
    ///
    /// `isLost` says of a document that can't be found whether no document can be found now.
    mutating func ended(
        _ job: JobID,
        _ result: DetectionResult,
        now: Moment,
        isLost: () -> Bool = { false }
    ) throws(StoreFailure) {
        var result = result
        if let live = try bench.live(job) {
            let found = mark(of: live.machine.job)
            if live.machine.job.state == .detecting {
                let isNone =
                    result.isOfLostDirectory
                    ? isNoLook(at: job, isLost: isLost(), now: now)
                    // The directory may be back by now, and the document with it.
                    : found == nil && (isLost() || mark(of: live.machine.job) != nil)
                if isNone { return try interrupted(job, now: now) }
            }
            // Whatever has its place now is nothing that could be opened.
            if found == nil, result.outcome == .unreadable { result.reason = DetectionResult.unopened }
            result.isOfChangedDocument = found == nil || found != live.machine.job.documentMark
        }
        let after = try bench.step(job, .detectionEnded(result), now: now)?.live.job
        // It gets another attempt.
        if after?.state == .detecting { return }
        shutOut[job] = nil
        bench.queues.documents.finish(job)
        if result.isShareable, let sha256 = after?.sha256, after?.detection == result {
            results[sha256] = (job, result)
        }
    }

    /// Returns whether a look counts as none for which the directory could not be opened.
    ///
    /// It does where nobody finds the directory, and for a while where only the detector doesn't, since that may
    /// have begun while the directory was away.
    private mutating func isNoLook(at job: JobID, isLost: Bool, now: Moment) -> Bool {
        if isLost { return true }
        if shutOut[job] == nil, shutOut.count >= Self.mostShutOut { shutOut = [:] }
        var known = shutOut[job] ?? ShutOut(since: now)
        known.looks += 1
        shutOut[job] = known
        return known.looks < Self.patience.looks || now.seconds(since: known.since) < Self.patience.seconds
    }

    /// Puts a document back that a detector could not find because no document could be found.
    private mutating func interrupted(_ job: JobID, now: Moment) throws(StoreFailure) {
        guard let live = try bench.step(job, .detectionInterrupted, now: now)?.live else { return }
        bench.queues.documents.finish(job)
        if let answer = bench.queues.carryOut(.enqueueDetection, for: live.machine.job) {
            try bench.step(job, answer, now: now)
        }
    }

    /// Notes that all results are in the store.
    mutating func committed() { results.removeAll(keepingCapacity: true) }

    /// Puts back the documents being looked at when the daemon stops, which is no fault of theirs.
    func settle(now: Moment) throws(StoreFailure) {
        for job in bench.jobs.ids(in: .detecting) { try bench.step(job, .detectionInterrupted, now: now) }
    }

    /// Returns the result for a document that has crashed whatever looked at it, including the daemon.
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

    /// Returns a document's result without a look: none, where documents aren't looked at by themselves, or
    /// that of another document with the same content, by the engine and parameters that would look at this one;
    /// nil if there is none, or if a person has asked for a detector.
    private mutating func knownResult(for job: Job) throws(StoreFailure) -> DetectionResult? {
        guard job.detectionDemand == nil else { return nil }
        guard bench.configuration.looksByItself else { return DetectionResult(outcome: .skipped, engine: "") }
        guard let sha256 = job.sha256,
            let detector = bench.ports.detection.identity, isAsHashed(job)
        else { return nil }
        guard let known = try result(ofBytes: sha256, by: detector), known.job != job.id,
            known.result.engine == detector.engine,
            known.result.parameters == detector.parameters
        else { return nil }
        return DetectionResult(sharing: known.result, of: known.job)
    }

    /// Returns a result for a content, for which the store is asked once in a turn, however many have it.
    private mutating func result(
        ofBytes sha256: String,
        by detector: DetectorIdentity
    ) throws(StoreFailure) -> (job: JobID, result: DetectionResult)? {
        // Results of this turn are not in the store yet.
        if let found = results[sha256] { return found }
        if let answer = asked[sha256] { return answer }
        let answer = try bench.ports.store.detection(ofBytes: sha256, by: detector)
        asked[sha256] = .some(answer)
        return answer
    }

    /// Returns whether a document is still the file that was hashed, unmodified.
    ///
    /// If this is true after detection, it was true throughout, since a change would leave its trace.
    private func isAsHashed(_ job: Job) -> Bool {
        guard let hashed = job.documentMark else { return false }
        return mark(of: job) == hashed
    }

    /// Returns the mark of a job's document as it is now; nil if it isn't there.
    private func mark(of job: Job) -> FileMark? {
        job.path.flatMap { bench.ports.documents.mark(ofDocument: $0) }
    }
}
