import JobCore

/// Carries out requests that steer one job, or very many, of which each turn handles a slice.
struct Steering {
    private struct Sweep {
        var action: SteeringAction
        /// The newest job at the time of the request; nil if the request names its jobs.
        var newest: JobID?
        /// The jobs still to be steered, or nil before the request's turn.
        var jobs: ArraySlice<JobID>?
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

    /// Steers every job for which the action makes sense, up to the newest one at this moment.
    ///
    /// Requests are handled one after the other, because each may list very many jobs.
    mutating func steerAll(
        _ action: SteeringAction,
        upTo newest: JobID,
        reply: @escaping EngineInput.Reply<Int>
    ) {
        if let missing = missingEngine(for: action) { return reply(.failure(missing)) }
        sweeps.append(Sweep(action: action, newest: newest, reply: reply))
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

    /// Handles the next slice of the first request that steers all jobs.
    mutating func takeSlice(now: Moment, isHidden: (JobID) -> Bool) throws(StoreFailure) {
        guard var sweep = sweeps.first else { return }
        let jobs = try jobs(of: sweep)
        let slice = jobs.prefix(bench.configuration.sliceSize)
        let left = jobs.dropFirst(slice.count)
        let (changed, others) = try RestingWork(bench: bench).steer(
            sweep.action.input,
            slice.filter { !isHidden($0) },
            next: left.prefix(bench.configuration.sliceSize),
            now: now
        )
        sweep.changed += changed
        try bench.fetch(others)
        for job in others {
            guard let before = bench.jobs[job]?.job,
                let (live, refusal) = try bench.step(job, sweep.action.input, now: now)
            else { continue }
            if refusal == nil, live.job != before { sweep.changed += 1 }
        }
        sweep.jobs = left
        sweeps[0] = sweep
        guard left.isEmpty else { return }
        bench.answers.add(sweep.reply, sweep.changed)
        sweeps.removeFirst()
    }

    private func jobs(of sweep: Sweep) throws(StoreFailure) -> ArraySlice<JobID> {
        if let jobs = sweep.jobs { return jobs }
        let jobs = try bench.ports.store.jobIDs(in: sweep.action.sensibleStates)
        guard let newest = sweep.newest else { return jobs[...] }
        // They ascend.
        return jobs.prefix { $0 <= newest }
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
        case .pin(let isPinned): .pin(isPinned)
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
        case .pin: JobState.allCases
        }
    }
}
