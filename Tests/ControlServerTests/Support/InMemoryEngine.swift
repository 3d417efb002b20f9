import JobCore
import JobEngine
import Synchronization

/// An engine that keeps real jobs, in memory, and fetches nothing.
final class InMemoryEngine: JobControl, JobQueries {
    struct State {
        var jobs: [JobID: Job] = [:]
        var batches: [BatchID: Batch] = [:]
        var history: [JobEvent] = []
        var lastEvent: Int64 = 0
        var answered: [String: (String, AcceptedBatch)] = [:]
        var live: [JobID: LiveTransfer] = [:]
        var status: EngineStatus
        /// What every change ends with, where set.
        var refusal: ControlError?
        /// True when the store can't be read.
        var isBroken = false
        /// What was asked of jobs, in order.
        var steered: [SteeringAction] = []
        /// How often a page of jobs was asked for.
        var pages = 0
    }

    struct Broken: Error {}

    static let start = Moment(microseconds: 1_795_243_503_000_000)

    let events: EventBus
    let state = Mutex(State(status: EngineStatus(startedAt: InMemoryEngine.start)))

    init(busSize: Int = 4096) { events = EventBus(bufferSize: busSize) }

    // MARK: JobControl

    func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch {
        try change { state throws(ControlError) in
            if let idempotency = submission.idempotency,
                let (digest, answer) = state.answered[idempotency.key]
            {
                guard digest == idempotency.bodyDigest else { throw .idempotencyKeyReused }
                return answer
            }
            let batch = BatchID(rawValue: Int64(state.batches.count + 1))
            var ids: [JobID] = []
            for item in submission.items {
                let id = JobID(rawValue: Int64(state.jobs.count + 1))
                var job = Job(
                    id: id,
                    batch: batch,
                    createdAt: Self.start,
                    url: item.url,
                    name: item.name ?? "unnamed"
                )
                job.priority = item.priority
                job.expectedSHA256 = item.expectedSHA256
                job.headers = item.headers
                job.rateLimit = item.rateLimit
                state.jobs[id] = job
                ids.append(id)
            }
            let accepted = AcceptedBatch(
                batch: Batch(
                    id: batch,
                    createdAt: Self.start,
                    submittedBy: submission.submittedBy,
                    jobCount: ids.count,
                    jobsByState: [.queued: ids.count]
                ),
                jobs: ids
            )
            state.batches[batch] = accepted.batch
            state.status.jobsByState[.queued, default: 0] += ids.count
            if let idempotency = submission.idempotency {
                state.answered[idempotency.key] = (idempotency.bodyDigest, accepted)
            }
            return accepted
        }
    }

    func steer(_ action: SteeringAction, job id: JobID) async throws(ControlError) -> Job {
        try change { state throws(ControlError) in
            guard var job = state.jobs[id] else { throw .noSuchJob(id) }
            state.steered.append(action)
            switch action {
            case .pause: job.state = .paused
            case .resume: job.state = .queued
            case .cancel: job.state = .cancelled
            case .retry(let url, _):
                if let url { job.url = url }
                job.state = .queued
            case .detect:
                guard job.path != nil else {
                    throw .notPossible(id, job.state, "job \(id.rawValue) has no document yet")
                }
                job.state = .stored
            case .prioritize(let priority): job.priority = priority
            }
            state.jobs[id] = job
            return job
        }
    }

    func steerAll(_ action: SteeringAction) async throws(ControlError) -> Int {
        try change { state throws(ControlError) in
            state.steered.append(action)
            return state.jobs.count
        }
    }

    func setDetectionGate(open: Bool) async throws(ControlError) {
        try change { state throws(ControlError) in state.status.detectionGateOpen = open }
    }

    func status() -> EngineStatus { state.withLock { $0.status } }

    func liveTransfers() -> [JobID: LiveTransfer] { state.withLock { $0.live } }

    private func change<Result>(
        _ body: (inout State) throws(ControlError) -> Result
    ) throws(ControlError) -> Result {
        try state.withLock { state throws(ControlError) in
            if let refusal = state.refusal { throw refusal }
            return try body(&state)
        }
    }

    // MARK: JobQueries

    func job(_ id: JobID) async throws -> Job? { try read { $0.jobs[id] } }

    func jobs(_ filter: JobFilter, after: JobID?, limit: Int) async throws -> JobPage {
        state.withLock { $0.pages += 1 }
        return try read { state in
            let all = state.jobs.values.filter { job in
                (filter.state == nil || job.state == filter.state)
                    && (filter.batch == nil || job.batch == filter.batch)
                    && (filter.text.map { job.name.contains($0) || job.url.masked.contains($0) } ?? true)
            }.sorted { $0.id < $1.id }
            let rest = all.filter { $0.id > (after ?? JobID(rawValue: 0)) }
            return JobPage(items: Array(rest.prefix(limit)), total: all.count, hasMore: rest.count > limit)
        }
    }

    func batch(_ id: BatchID) async throws -> Batch? { try read { $0.batches[id] } }

    func jobIDs(of batch: BatchID) async throws -> [JobID] {
        try read { $0.jobs.values.filter { $0.batch == batch }.map(\.id).sorted() }
    }

    func batches(after: BatchID?, limit: Int) async throws -> BatchPage {
        try read { state in
            let all = state.batches.values.sorted { $0.id < $1.id }
            let rest = all.filter { $0.id > (after ?? BatchID(rawValue: 0)) }
            return BatchPage(items: Array(rest.prefix(limit)), total: all.count, hasMore: rest.count > limit)
        }
    }

    func events(after: Int64, limit: Int, batch: BatchID?) async throws -> [JobEvent] {
        try read { state in
            Array(state.history.filter { $0.id > after && (batch == nil || $0.batch == batch) }.prefix(limit))
        }
    }

    func lastEvent(before moment: Timestamp) async throws -> Int64 {
        try read { state in state.history.last { $0.time.wall < moment }?.id ?? 0 }
    }

    func eventRange() async throws -> ClosedRange<Int64>? {
        try read { state in
            guard let first = state.history.first, let last = state.history.last else { return nil }
            return first.id...last.id
        }
    }

    private func read<Result>(_ body: (State) throws -> Result) throws -> Result {
        try state.withLock { state in
            if state.isBroken { throw Broken() }
            return try body(state)
        }
    }

    // MARK: What happens

    /// Makes events happen: in the history first, then on the bus, as the engine does.
    @discardableResult
    func happen(_ kinds: [JobEvent.Kind], job: Int64 = 1, batch: Int64 = 1) -> [JobEvent] {
        let events = state.withLock { state in
            kinds.map { kind in
                state.lastEvent += 1
                let event = JobEvent(
                    id: state.lastEvent,
                    time: Self.start.adding(seconds: 1),
                    batchCreatedAt: Self.start,
                    batch: BatchID(rawValue: batch),
                    job: JobID(rawValue: job),
                    kind: kind
                )
                state.history.append(event)
                return event
            }
        }
        self.events.publish(events.map { .event($0) })
        return events
    }

    /// Forgets the oldest events.
    func forget(_ count: Int) { state.withLock { $0.history.removeFirst(count) } }
}
