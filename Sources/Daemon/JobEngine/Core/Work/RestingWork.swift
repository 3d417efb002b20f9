import JobCore
import JobModel
import Vocabulary

/// Pauses, resumes and cancels idle jobs, of which there may be a million.
///
/// Only a few columns of each are read, consecutive jobs are written by one statement, and none is loaded. Each
/// job's machine still decides, and its events are still told.
struct RestingWork {
    private let bench: Workbench

    init(bench: Workbench) { self.bench = bench }

    /// Steers the resting jobs among these, which must ascend; returns how many it steered, and the other jobs.
    ///
    /// Only those in some states are steered, if any are given; `next` are the jobs that will be steered next in the
    /// same way.
    func steer(
        _ input: JobInput,
        _ jobs: [JobID],
        in wanted: [JobState]? = nil,
        next upcoming: ArraySlice<JobID>,
        now: Moment
    ) throws(StoreFailure) -> (changed: Int, others: [JobID]) {
        guard let states = Self.states(for: input), zip(jobs, jobs.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return (0, jobs)
        }
        let concerned = states.filter { wanted?.contains($0) ?? true }
        guard !concerned.isEmpty else { return (0, jobs) }
        let absent = jobs.filter { bench.jobs[$0] == nil && !bench.jobs.resting.contains($0) }
        let resting = try bench.ports.store.restingJobs(
            absent.filter { !bench.ledger.isForgotten($0) },
            in: concerned,
            withoutPartials: input == .cancel,
            next: upcoming
        )
        var others: [JobID] = []
        var moves = RestingMoves()
        var changed = 0
        let isResume = input == .resume
        var next = jobs.startIndex
        for job in resting {
            while jobs[next] != job.id {
                others.append(jobs[next])
                next += 1
            }
            next += 1
            if !isResume || mayResume(job), steer(job, input, &moves, now: now) {
                changed += 1
            } else {
                others.append(job.id)
            }
        }
        moves.carryOut(in: &bench.queues)
        return (changed, others + jobs[next...])
    }

    /// The states in which an input concerns resting jobs; nil for inputs that are handled one job at a time.
    private static func states(for input: JobInput) -> [JobState]? {
        switch input {
        case .pause: [.queued, .stored]
        case .resume: [.paused]
        case .cancel: [.queued, .stored, .paused]
        default: nil
        }
    }

    /// Returns whether a job can be resumed without further knowledge of it.
    ///
    /// A lapsed batch's job is held again at once, and a document that no event has called deferred needs one.
    private func mayResume(_ job: RestingJob) -> Bool {
        !bench.leases.isLapsed(job.batch)
            && (!job.hasDocument || job.isDeferred || bench.queues.documents.isOpen)
    }

    /// Steers one job; returns false, and does nothing, if more has to be known of it.
    private func steer(
        _ resting: RestingJob,
        _ input: JobInput,
        _ moves: inout RestingMoves,
        now: Moment
    ) -> Bool {
        // A batch that a full disk leaves no room for takes back what was done to jobs that are in memory.
        guard !bench.ledger.isRevealing(resting.batch) else { return false }
        let before = resting.job
        var machine = JobMachine(job: before)
        let decision = bench.decide(input, on: &machine, now: now)
        guard decision.refusal == nil, decision.impossibility == nil,
            let change = RestingChange(from: before, to: machine.job)
        else { return false }
        for move in decision.moves { moves.add(move, of: resting) }
        bench.apply(decision, change, of: resting, becoming: machine.job, now: now)
        return true
    }
}

/// Moves of resting jobs in the queues, gathered so that runs of jobs are moved at once.
private struct RestingMoves {
    private struct Place: Equatable {
        var host: String
        var priority: Int
        var flow: Flow
        var weight: Int
    }

    private var noTransfers: [JobID] = []
    private var transfers: [(jobs: ClosedRange<JobID>, place: Place)] = []
    private var noDocuments: [JobID] = []
    private var documents: [RestingJob] = []

    mutating func add(_ move: QueueMove, of job: RestingJob) {
        switch move {
        case .dequeueTransfer: noTransfers.append(job.id)
        case .dequeueDetection: noDocuments.append(job.id)
        case .enqueueTransfer:
            let place = Place(host: job.host, priority: job.priority, flow: job.flow, weight: job.weight)
            let last = transfers.count - 1
            if last >= 0, transfers[last].jobs.upperBound.rawValue + 1 == job.id.rawValue,
                transfers[last].place == place
            {
                transfers[last].jobs = transfers[last].jobs.lowerBound...job.id
            } else {
                transfers.append((job.id...job.id, place))
            }
        case .enqueueDetection: documents.append(job)
        // An idle job has no permit, timer or detection to move.
        case .releasePermit, .wake, .moveDetection: break
        }
    }

    func carryOut(in queues: inout Queues) {
        queues.transfers.remove(noTransfers)
        for (jobs, place) in transfers {
            queues.transfers.enqueue(
                jobs,
                host: place.host,
                priority: place.priority,
                of: place.flow,
                weight: place.weight
            )
        }
        for job in noDocuments { queues.documents.remove(job) }
        for job in documents {
            queues.documents.enqueue(
                job.id,
                mark: job.mark,
                priority: job.priority,
                of: job.flow,
                weight: job.weight
            )
        }
    }
}
