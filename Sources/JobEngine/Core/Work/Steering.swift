import JobCore

/// Does what people ask of one job, or of very many, of which it takes a slice a turn.
struct Steering {
    private struct Sweep {
        var action: SteeringAction
        var jobs: ArraySlice<JobID>
        var changed = 0
        var reply: EngineInput.Reply<Int>
    }

    private let bench: Workbench
    private var sweeps: [Sweep] = []

    init(bench: Workbench) { self.bench = bench }

    /// Whether there are jobs left to go through.
    var hasMore: Bool { !sweeps.isEmpty }

    /// Does one thing to one job.
    func steer(
        _ action: SteeringAction,
        _ job: JobID,
        isHidden: Bool,
        now: Moment,
        reply: @escaping EngineInput.Reply<Job>
    ) throws(StoreFailure) {
        if let missing = missingEngine(for: action) { return reply(.failure(missing)) }
        let input = try input(for: action, job)
        guard !isHidden, let (live, refusal) = try bench.step(job, input, now: now) else {
            return reply(.failure(.noSuchJob(job)))
        }
        if let refusal {
            return reply(.failure(.notPossible(job, live.job.state, refusal)))
        }
        bench.answers.add(reply, live.job)
    }

    /// The machine's input for what is asked of one job.
    private func input(for action: SteeringAction, _ job: JobID) throws(StoreFailure) -> JobInput {
        guard case .retry(let url?, let user?) = action else { return action.input }
        if user == 0 { return .retry(url, keepsHeaders: true) }
        return .retry(url, keepsHeaders: try submitter(of: job) == user)
    }

    /// The user who submitted a job; nil where that isn't known.
    private func submitter(of job: JobID) throws(StoreFailure) -> UInt32? {
        // One that is being accepted in this turn is not in the store yet.
        if let batch = bench.ledger.newBatch(of: job) { return batch.submittedBy }
        return try bench.ports.store.submitter(of: job)
    }

    /// Does one thing to every job it makes sense for.
    mutating func steerAll(
        _ action: SteeringAction,
        reply: @escaping EngineInput.Reply<Int>
    ) throws(StoreFailure) {
        if let missing = missingEngine(for: action) { return reply(.failure(missing)) }
        let jobs = try bench.ports.store.jobIDs(in: action.sensibleStates)
        sweeps.append(Sweep(action: action, jobs: jobs[...], reply: reply))
    }

    /// Why an action can't be done to any job: no detector has the engine that it asks for.
    private func missingEngine(for action: SteeringAction) -> ControlError? {
        guard case .detect(let engine?) = action, !bench.configuration.engines.contains(engine) else {
            return nil
        }
        return .noSuchEngine(engine)
    }

    /// Takes the next slice of every list of jobs that is being steered.
    mutating func takeSlices(now: Moment, isHidden: (JobID) -> Bool) throws(StoreFailure) {
        for index in sweeps.indices {
            let action = sweeps[index].action
            let slice = sweeps[index].jobs.prefix(bench.configuration.sliceSize)
            sweeps[index].jobs = sweeps[index].jobs.dropFirst(slice.count)
            try bench.fetch(Array(slice))
            for job in slice where !isHidden(job) {
                guard let before = bench.jobs[job]?.job,
                    let (live, refusal) = try bench.step(job, action.input, now: now)
                else { continue }
                if refusal == nil, live.job != before { sweeps[index].changed += 1 }
            }
            if sweeps[index].jobs.isEmpty { bench.answers.add(sweeps[index].reply, sweeps[index].changed) }
        }
        sweeps.removeAll { $0.jobs.isEmpty }
    }

    /// Answers everyone who still waits that the engine is stopping.
    func abandon() { for sweep in sweeps { sweep.reply(.failure(.stopping)) } }
}

extension SteeringAction {
    /// The machine's input for it.
    fileprivate var input: JobInput {
        switch self {
        case .pause: .pause
        case .resume: .resume
        case .cancel: .cancel
        case .retry(let url, _): .retry(url)
        case .detect(let engine): .detect(DetectionDemand(engine: engine))
        case .prioritize(let priority): .prioritize(priority)
        }
    }

    /// The states in which "all" means a job.
    fileprivate var sensibleStates: [JobState] {
        switch self {
        case .pause: [.queued, .downloading, .waiting, .stored, .detecting]
        case .resume: [.paused]
        case .cancel: [.queued, .downloading, .waiting, .stored, .detecting, .paused]
        case .retry: [.failed, .waiting]
        case .detect: [.done]
        case .prioritize: [.queued, .downloading, .waiting, .paused]
        }
    }
}
