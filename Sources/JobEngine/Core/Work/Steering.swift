import JobCore

/// Carries out requests that steer one job, or very many, of which each turn handles a slice.
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

    /// Whether jobs are left to go through.
    var hasMore: Bool { !sweeps.isEmpty }

    /// Steers one job.
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

    /// Returns the machine's input for a request to one job.
    private func input(for action: SteeringAction, _ job: JobID) throws(StoreFailure) -> JobInput {
        guard case .retry(let url?, let user?) = action else { return action.input }
        if user == 0 { return .retry(url, keepsHeaders: true) }
        return .retry(url, keepsHeaders: try submitter(of: job) == user)
    }

    /// Returns the user who submitted a job; nil if unknown.
    private func submitter(of job: JobID) throws(StoreFailure) -> UInt32? {
        // A job being accepted in this turn is not in the store yet.
        if let batch = bench.ledger.newBatch(of: job) { return batch.submittedBy }
        return try bench.ports.store.submitter(of: job)
    }

    /// Steers every job for which the action makes sense.
    mutating func steerAll(
        _ action: SteeringAction,
        reply: @escaping EngineInput.Reply<Int>
    ) throws(StoreFailure) {
        if let missing = missingEngine(for: action) { return reply(.failure(missing)) }
        let jobs = try bench.ports.store.jobIDs(in: action.sensibleStates)
        sweeps.append(Sweep(action: action, jobs: jobs[...], reply: reply))
    }

    /// Steers those of these jobs for which the action makes sense.
    mutating func steer(
        _ action: SteeringAction,
        _ jobs: [JobID],
        reply: @escaping EngineInput.Reply<Int>
    ) {
        if let missing = missingEngine(for: action) { return reply(.failure(missing)) }
        sweeps.append(Sweep(action: action, jobs: jobs[...], reply: reply))
    }

    /// Returns an error if no detector has the engine that an action asks for.
    private func missingEngine(for action: SteeringAction) -> ControlError? {
        guard case .detect(let engine?) = action, !bench.configuration.engines.contains(engine) else {
            return nil
        }
        return .noSuchEngine(engine)
    }

    /// Handles the next slice of every list of jobs being steered.
    mutating func takeSlices(now: Moment, isHidden: (JobID) -> Bool) throws(StoreFailure) {
        for index in sweeps.indices {
            let action = sweeps[index].action
            let slice = sweeps[index].jobs.prefix(bench.configuration.sliceSize)
            sweeps[index].jobs = sweeps[index].jobs.dropFirst(slice.count)
            try bench.fetch(Array(slice))
            for job in slice where !isHidden(job) {
                guard let before = bench.jobs[job]?.job, action.sensibleStates.contains(before.state),
                    let (live, refusal) = try bench.step(job, action.input, now: now)
                else { continue }
                if refusal == nil, live.job != before { sweeps[index].changed += 1 }
            }
            if sweeps[index].jobs.isEmpty { bench.answers.add(sweeps[index].reply, sweeps[index].changed) }
        }
        sweeps.removeAll { $0.jobs.isEmpty }
    }

    /// Tells all waiting callers that the engine is stopping.
    func abandon() { for sweep in sweeps { sweep.reply(.failure(.stopping)) } }
}

extension SteeringAction {
    /// The machine's input for this action.
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

    /// The states of the jobs that steering "all" applies to.
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
