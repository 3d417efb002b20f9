import JobCore

extension EngineCore {
    /// One thing done to very many jobs, a slice a turn.
    struct Sweep {
        var action: SteeringAction
        var jobs: ArraySlice<JobID>
        var changed = 0
        var reply: EngineInput.Reply<Int>
    }

    /// Does one thing to one job.
    func steer(
        _ action: SteeringAction,
        _ job: JobID,
        now: Moment,
        reply: @escaping EngineInput.Reply<Job>
    ) throws(StoreFailure) {
        guard commitRetryAt == nil else { return reply(.failure(.outOfSpace)) }
        if let missing = missingEngine(for: action) { return reply(.failure(missing)) }
        let input = try input(for: action, job)
        guard !isHidden(job), let (live, refusal) = try step(job, input, now: now) else {
            return reply(.failure(.noSuchJob(job)))
        }
        if let refusal {
            return reply(.failure(.notPossible(job, live.job.state, refusal)))
        }
        answer(reply, with: live.job)
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
        if let batch = pending.changes.newBatches.first(where: { $0.jobs.contains(job) }) {
            return batch.submittedBy
        }
        return try ports.store.submitter(of: job)
    }

    /// Does one thing to every job it makes sense for.
    func steerAll(
        _ action: SteeringAction,
        reply: @escaping EngineInput.Reply<Int>
    ) throws(StoreFailure) {
        guard commitRetryAt == nil else { return reply(.failure(.outOfSpace)) }
        if let missing = missingEngine(for: action) { return reply(.failure(missing)) }
        let jobs = try ports.store.jobIDs(in: action.sensibleStates)
        sweeps.append(Sweep(action: action, jobs: jobs[...], reply: reply))
    }

    /// Why an action can't be done to any job: no detector has the engine that it asks for.
    private func missingEngine(for action: SteeringAction) -> ControlError? {
        guard case .detect(let engine?) = action, !configuration.engines.contains(engine) else { return nil }
        return .noSuchEngine(engine)
    }

    /// Takes the next slice of every list of jobs that is being steered.
    func continueSweeps(now: Moment) throws(StoreFailure) {
        guard commitRetryAt == nil else { return }
        for index in sweeps.indices {
            let action = sweeps[index].action
            let slice = sweeps[index].jobs.prefix(configuration.sliceSize)
            sweeps[index].jobs = sweeps[index].jobs.dropFirst(slice.count)
            try loadMachines(Array(slice))
            for job in slice where !isHidden(job) {
                guard let before = machines[job]?.job,
                    let (live, refusal) = try step(job, action.input, now: now)
                else { continue }
                if refusal == nil, live.job != before { sweeps[index].changed += 1 }
            }
            if sweeps[index].jobs.isEmpty {
                answer(sweeps[index].reply, with: sweeps[index].changed)
            }
        }
        sweeps.removeAll { $0.jobs.isEmpty }
    }
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
