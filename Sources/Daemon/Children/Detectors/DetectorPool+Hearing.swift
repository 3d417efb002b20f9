import DetectorProtocol
import JobModel
import Vocabulary

/// Listening to the processes, without trusting anything that they say.
extension DetectorPool {
    /// Handles what a process says.
    func said(_ message: DetectorSpeech.Message, by id: Process) {
        switch message {
        case .greeting(let greeting): greeted(greeting, by: id)
        case .answer(let answer, let thumbnail): answered(answer, thumbnail, by: id)
        }
    }

    private func greeted(_ greeting: DetectorGreeting, by id: Process) {
        if let failure = DetectorCheckFailure(greeting, from: configuration.executable) {
            logger.error("\(failure)")
            change { state, _ in state.machine.misbehaved(id) }
            return
        }
        remember(greeting)
        change { state, now in
            state.greeted[id] = greeting.engines.map(DetectorIdentity.init)
            return state.machine.greeted(id, now: now)
        }
    }

    /// Handles the answer to a request; anything else ends its process.
    private func answered(_ answer: DetectorResponse, _ thumbnail: [UInt8]?, by id: Process) {
        var fault: Misbehaviour?
        var request: DetectionRequest?
        var looksShutOut = (before: 0, after: 0)
        change { state, now in
            looksShutOut.before = state.machine.looksShutOut
            defer { looksShutOut.after = state.machine.looksShutOut }
            do throws(Misbehaviour) {
                guard let look = state.looks.removeValue(forKey: id) else {
                    throw Misbehaviour("an answer that nobody asked for")
                }
                request = look.request
                let result = try DetectionResult(checking: answer, to: look, now: now)
                let job = look.request.job
                let actions = state.machine.answered(
                    id,
                    job: job,
                    took: now - look.began,
                    isShutOut: result.isOfLostDirectory,
                    now: now
                )
                // Unless it was withdrawn or has taken too long.
                if actions.contains(.deliver(look.request)) {
                    state.answers[job] = Answer(result: result, thumbnail: thumbnail)
                }
                return actions
            } catch {
                fault = error
                return []
            }
        }
        tellOfLooks(shutOutBefore: looksShutOut.before, after: looksShutOut.after)
        if let fault { misbehaved(id, fault, at: request) }
    }

    /// The number of looks in a row, without the documents directory, from which on that is no matter of a moment.
    private static let looksToTellOf = 3

    /// Says in the log when looks begin to be put off because no face detector can open the documents directory,
    /// and when they go on.
    private func tellOfLooks(shutOutBefore before: Int, after: Int) {
        let most = Self.looksToTellOf
        if before < most, after >= most {
            logger.warning(
                """
                face detectors can't open the documents directory: documents wait for other detectors, which are \
                started ever more rarely
                """
            )
        }
        if before >= most, after == 0 {
            logger.notice("face detectors can open the documents directory again")
        }
    }

    /// Reports the answer for a document, unless that was withdrawn meanwhile.
    func deliver(_ request: DetectionRequest) {
        guard let answer = state.withLock({ $0.answers.removeValue(forKey: request.job) }) else { return }
        if let thumbnail = answer.thumbnail { report(.thumbnail(request, thumbnail)) }
        report(.ended(request.job, answer.result))
    }

    /// Ends a process that can't be trusted any more, and logs the reason once.
    func misbehaved(_ id: Process, _ what: Misbehaviour, at request: DetectionRequest? = nil) {
        var request = request
        let actions = change { state, _ in
            request = request ?? state.looks[id]?.request
            let actions = state.machine.misbehaved(id)
            if !actions.isEmpty { state.blamed.insert(id) }
            return actions
        }
        guard !actions.isEmpty else { return }
        logger.warning("a face detector misbehaved and was stopped: \(what)")
        report(.lost(.misbehaved(what.description), request))
    }

    /// Remembers the identities, and logs once what the sandbox lacks.
    func remember(_ greeting: DetectorGreeting) {
        let (warning, problem) = state.withLock { state in
            let problem = state.problem
            state.problem = nil
            state.identities = greeting.engines.map(DetectorIdentity.init)
            defer { state.warned = state.warned || greeting.warning != nil }
            return (state.warned ? nil : greeting.warning, problem)
        }
        if problem != nil { logger.notice("face detectors can start again") }
        if let warning { logger.warning("face detectors: \(warning.limited(toBytes: 500))") }
    }
}

extension DetectorPool.State {
    /// Returns whether detectors have an engine, as far as is known.
    func offers(_ engine: DetectionEngine?) -> Bool {
        guard let engine, !identities.isEmpty else { return true }
        return identities.contains { $0.engine == engine.rawValue }
    }

    /// Records the request sent to a process, with a number that nobody could have guessed.
    mutating func note(
        _ request: DetectionRequest,
        wantsThumbnail: Bool,
        sentTo id: DetectorPoolMachine.ProcessID,
        now: Duration
    ) {
        let detector = greeted[id]?.first { request.engine == nil || $0.engine == request.engine?.rawValue }
        looks[id] = Look(
            number: .random(in: 1...Int64.max),
            request: request,
            detector: detector ?? DetectorIdentity(engine: request.engine?.rawValue ?? "", parameters: ""),
            wantsThumbnail: wantsThumbnail,
            began: now
        )
    }
}
