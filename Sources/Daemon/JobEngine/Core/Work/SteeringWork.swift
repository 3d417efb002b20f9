import JobCore
import JobModel
import Vocabulary

/// Carries out requests that steer one job, or very many, of which each turn handles a slice.
struct SteeringWork {
    private struct Sweep {
        /// The place in the order in which people asked.
        var number: Int
        var action: SteeringAction
        /// The range of the ids of the jobs to be steered.
        var range: ClosedRange<JobID>
        /// The jobs still to be steered; nil if that is all, and their turn hasn't come.
        var jobs: ArraySlice<JobID>?
        /// The states in which jobs of a list are steered; nil leaves that to each job.
        var states: [JobState]?
        var changed = 0
        var reply: EngineInput.Reply<Int>
    }

    private let bench: Workbench
    /// The requests under way, in the order of their turns.
    private var sweeps: [Sweep] = []
    private var lastNumber = 0
    /// True if this turn has steered jobs of a list, which the store doesn't know yet.
    private var hasSteered = false

    init(bench: Workbench) { self.bench = bench }

    /// The number of requests that aren't carried out yet.
    var count: Int { sweeps.count }

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
        bench.answer(reply, live.job)
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
    /// It comes after all that was asked before, and whatever is asked later comes after it.
    mutating func steerAll(
        _ action: SteeringAction,
        upTo newest: JobID,
        reply: @escaping EngineInput.Reply<Int>
    ) {
        if let missing = missingEngine(for: action) { return reply(.failure(missing)) }
        add(action, JobID(rawValue: min(0, newest.rawValue))...newest, jobs: nil, reply)
    }

    /// Steers those of these jobs for which the action makes sense: those in any of the states, if any are given,
    /// when it is their turn.
    ///
    /// Requests take turns, unless they may be about the same jobs: then they are handled in their order.
    mutating func steer(
        _ action: SteeringAction,
        _ jobs: [JobID],
        in states: [JobState]? = nil,
        reply: @escaping EngineInput.Reply<Int>
    ) {
        if let missing = missingEngine(for: action) { return reply(.failure(missing)) }
        guard let first = jobs.min(), let last = jobs.max() else { return bench.answer(reply, 0) }
        add(action, first...last, jobs: jobs[...], in: states, reply)
    }

    private mutating func add(
        _ action: SteeringAction,
        _ range: ClosedRange<JobID>,
        jobs: ArraySlice<JobID>?,
        in states: [JobState]? = nil,
        _ reply: @escaping EngineInput.Reply<Int>
    ) {
        lastNumber += 1
        sweeps.append(
            Sweep(number: lastNumber, action: action, range: range, jobs: jobs, states: states, reply: reply)
        )
    }

    /// Returns an error if no detector has the engine that an action asks for.
    private func missingEngine(for action: SteeringAction) -> ControlError? {
        guard case .detect(let engine?) = action, !bench.configuration.engines.contains(engine) else {
            return nil
        }
        return .noSuchEngine(engine)
    }

    /// Begins a turn, before which all that was carried out is in the store.
    mutating func beginTurn() { hasSteered = false }

    /// Handles the next slice of the request whose turn it is; returns false if there is none in this turn.
    mutating func takeSlice(
        _ budget: inout WorkBudget,
        now: Moment,
        isHidden: (JobID) -> Bool
    ) throws(StoreFailure) -> Bool {
        guard let place = next else { return false }
        var sweep = sweeps.remove(at: place)
        let jobs: ArraySlice<JobID>
        if let begun = sweep.jobs { jobs = begun } else { jobs = try listed(sweep, &budget) }
        hasSteered = true
        let slice = jobs.prefix(budget.grant(jobs.count))
        let left = jobs.dropFirst(slice.count)
        let (changed, others) = try RestingWork(bench: bench).steer(
            sweep.action.input,
            try concerned(slice.filter { !isHidden($0) }, sweep.states),
            in: sweep.states,
            // If others share the budget, their jobs are next.
            next: budget.isShared ? [] : left.prefix(slice.count),
            now: now
        )
        sweep.changed += changed
        try bench.fetch(others)
        for job in others {
            guard let before = bench.jobs[job]?.job, sweep.states?.contains(before.state) ?? true,
                let (live, refusal) = try bench.step(job, sweep.action.input, now: now)
            else { continue }
            if refusal == nil, live.job != before { sweep.changed += 1 }
        }
        sweep.jobs = left
        if left.isEmpty { bench.answer(sweep.reply, sweep.changed) } else { sweeps.append(sweep) }
        return true
    }

    /// The place of the request whose turn it is: the first in line that needn't wait for one that was made before.
    ///
    /// All jobs are listed by the store, which must know what was done to them.
    private var next: Int? {
        sweeps.indices.first { place in
            let sweep = sweeps[place]
            return (sweep.jobs != nil || !hasSteered)
                && !sweeps.contains { $0.number < sweep.number && $0.range.overlaps(sweep.range) }
        }
    }

    /// Returns those of these jobs that may be in any of some states, without loading the others, of which there may
    /// be many.
    private func concerned(_ jobs: [JobID], _ states: [JobState]?) throws(StoreFailure) -> [JobID] {
        guard let states else { return jobs }
        let absent = jobs.filter { bench.jobs[$0] == nil && !bench.jobs.resting.contains($0) }
        let others = Set(absent).subtracting(try bench.ports.store.jobIDs(among: absent, in: states))
        return jobs.filter { !others.contains($0) }
    }

    private func listed(_ sweep: Sweep, _ budget: inout WorkBudget) throws(StoreFailure) -> ArraySlice<JobID>
    {
        let jobs = try bench.ports.store.jobIDs(in: sweep.action.sensibleStates)
        budget.spend(jobs.count / 100)
        // The ids ascend.
        return jobs.prefix { $0 <= sweep.range.upperBound }
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
        case .fingerprint(let fingerprint, let sha256): .fingerprint(fingerprint, of: sha256)
        }
    }
}
