import JobCore

extension EngineCore {
    /// Hands documents to free detectors, and gives known results to those whose bytes have been
    /// looked at before.
    ///
    /// Known results take no detector's time, so a turn may have very many of them: it takes a slice.
    func beginDetections(now: Moment) throws(StoreFailure) {
        hasMoreDetections = false
        for _ in 0..<configuration.sliceSize {
            guard let job = gate.next() else { return }
            guard let machine = try live(job)?.machine, machine.job.state == .stored,
                let path = machine.job.path
            else {
                gate.finish(job)
                continue
            }
            let known = machine.job
            if let result = try knownResult(for: known) {
                try step(job, .detectionShared(result), now: now)
                gate.finish(job)
                continue
            }
            let engine = known.detectionDemand?.engine
            try step(job, .detectionBegan, now: now)
            if let engine, !configuration.engines.contains(engine) {
                // It was there when somebody asked, and then the settings changed.
                let result = DetectionResult(outcome: .skipped, engine: engine.rawValue)
                try detectionEnded(job, result, now: now)
                continue
            }
            if machine.isNotToBeLookedAt {
                try detectionEnded(job, crash(of: engine), now: now)
                continue
            }
            pending.detections.append(DetectionRequest(job: job, path: path, engine: engine))
        }
        hasMoreDetections = true
    }

    /// Takes in what a detector found.
    func detectionEnded(_ job: JobID, _ result: DetectionResult, now: Moment) throws(StoreFailure) {
        var result = result
        if let looked = try live(job)?.job { result.isOfChangedDocument = !isAsHashed(looked) }
        let after = try step(job, .detectionEnded(result), now: now)?.live.job
        // It is looked at once more.
        if after?.state == .detecting { return }
        gate.finish(job)
        if result.isShareable, let sha256 = after?.sha256, after?.detection == result {
            pending.results[sha256] = (job, result)
        }
    }

    /// What is said of a document that ended whoever looked at it, the daemon included.
    private func crash(of engine: DetectionEngine?) -> DetectionResult {
        let detector = ports.detection.identity
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
        guard job.detectionDemand == nil, let sha256 = job.sha256, let detector = ports.detection.identity,
            isAsHashed(job)
        else { return nil }
        // What this turn has learned is not in the store yet.
        var known = pending.results[sha256]
        if known == nil { known = try ports.store.detection(ofBytes: sha256, by: detector) }
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
        return ports.documents.mark(ofDocument: path) == mark
    }

    /// By what the gate tells documents apart: 64 bits of their SHA-256.
    static func mark(of job: Job) -> DetectionGate.Mark? {
        guard job.detectionDemand == nil, let sha256 = job.sha256 else { return nil }
        return DetectionGate.Mark(sha256.prefix(16), radix: 16)
    }
}
