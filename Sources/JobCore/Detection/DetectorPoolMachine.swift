/// Decides what detector processes do: who looks at which picture, who is stopped, who is replaced.
///
/// Every input is a method that takes the moment as an argument and gives back
/// what to do, in order. The processes themselves are somebody else's.
public struct DetectorPoolMachine: Sendable {
    /// Names a process; never used twice.
    public struct ProcessID: Hashable, Sendable {
        /// The place that the process has among the workers, from 0.
        public let place: Int
        /// Counts the processes that the pool has started.
        public let serial: Int
    }

    /// What has to be done.
    public enum Action: Hashable, Sendable {
        /// Start a process.
        case start(ProcessID)
        /// Send the request to a process that is ready.
        case send(ProcessID, DetectionRequest)
        /// Stop a process at once. Its end is awaited as any other.
        case kill(ProcessID)
        /// Tell what came of a document, where its process couldn't.
        case report(DetectionRequest, DetectionOutcome)
        /// Tell what a process has answered.
        case deliver(DetectionRequest)
    }

    /// A picture that has been given to a process, and how often.
    struct Attempt: Hashable, Sendable {
        var request: DetectionRequest
        var number: Int
    }

    /// What is known of the process in a place.
    enum Place: Hashable, Sendable {
        /// No process until a moment; → starting. It may hold a picture whose process died.
        case empty(until: Duration, retry: Attempt?)
        /// Started, not ready; → idle or busy by a greeting, → ending when it takes too long, → empty by death.
        case starting(ProcessID, deadline: Duration, retry: Attempt?)
        /// Ready; → busy by a picture, → ending by misbehaviour, → empty by death.
        case idle(ProcessID, Work)
        /// Looking; → idle by an answer, → ending by time-out, withdrawal, misbehaviour
        /// or because it has done enough, → empty by death.
        case busy(ProcessID, Work, Attempt, deadline: Duration)
        /// Told to stop; → empty by its end. A picture that it failed on is tried again after that.
        case ending(ProcessID, blame: Blame)
    }

    /// What a process has done since it started.
    struct Work: Hashable, Sendable {
        var pictures = 0
        var time: Duration = .zero
    }

    /// Why a process is being stopped, which decides what its end means.
    enum Blame: Hashable, Sendable {
        /// We wanted it to end, through no fault of its own.
        case nobody
        /// It never became ready, which is not the fault of the picture that waits for it.
        case start(Attempt?)
        /// It broke the protocol, perhaps over a picture.
        case process(Attempt?)
    }

    let limits: DetectorPoolLimits
    var places: [Place]
    var queue: [DetectionRequest] = []
    var deaths: [Int]
    var serial = 0

    /// A pool with no process yet; ``advance(now:)`` starts them.
    public init(limits: DetectorPoolLimits) {
        self.limits = limits
        places = Array(repeating: .empty(until: .zero, retry: nil), count: limits.workers)
        deaths = Array(repeating: 0, count: limits.workers)
    }

    /// The next moment at which ``advance(now:)`` has something to do; nil when only an event can change anything.
    public var nextDeadline: Duration? {
        places.compactMap { place in
            switch place {
            case .empty(let until, _): until
            case .starting(_, let deadline, _), .busy(_, _, _, let deadline): deadline
            case .idle, .ending: nil
            }
        }.min()
    }

    /// Documents that wait for a process.
    public var waiting: Int { queue.count }

    /// Takes a document in.
    public mutating func submit(_ request: DetectionRequest, now: Duration) -> [Action] {
        queue.append(request)
        return assign(now: now)
    }

    /// Forgets a document; a process that is busy with it is stopped.
    public mutating func withdraw(_ job: JobID) -> [Action] {
        queue.removeAll { $0.job == job }
        var actions: [Action] = []
        for index in places.indices {
            switch places[index] {
            case .empty(let until, let retry) where retry?.request.job == job:
                places[index] = .empty(until: until, retry: nil)
            case .starting(let process, let deadline, let retry) where retry?.request.job == job:
                places[index] = .starting(process, deadline: deadline, retry: nil)
            case .busy(let process, _, let attempt, _) where attempt.request.job == job:
                places[index] = .ending(process, blame: .nobody)
                actions.append(.kill(process))
            case .ending(let process, .process(let attempt)) where attempt?.request.job == job:
                places[index] = .ending(process, blame: .process(nil))
            case .ending(let process, .start(let attempt)) where attempt?.request.job == job:
                places[index] = .ending(process, blame: .start(nil))
            case .empty, .starting, .idle, .busy, .ending:
                break
            }
        }
        return actions
    }

    /// Does what is due: starts processes, stops those that take too long.
    public mutating func advance(now: Duration) -> [Action] {
        var actions: [Action] = []
        for index in places.indices {
            switch places[index] {
            case .empty(let until, let retry) where until <= now:
                serial += 1
                let process = ProcessID(place: index, serial: serial)
                places[index] = .starting(process, deadline: now + limits.startTimeout, retry: retry)
                actions.append(.start(process))
            case .starting(let process, let deadline, let retry) where deadline <= now:
                places[index] = .ending(process, blame: .start(retry))
                actions.append(.kill(process))
            case .busy(let process, _, let attempt, let deadline) where deadline <= now:
                places[index] = .ending(process, blame: .nobody)
                actions += [.kill(process), .report(attempt.request, .timedOut)]
            case .empty, .starting, .idle, .busy, .ending:
                break
            }
        }
        return actions + assign(now: now)
    }

    /// A process says that it is ready.
    public mutating func greeted(_ process: ProcessID, now: Duration) -> [Action] {
        switch place(of: process) {
        case .starting(_, _, .some(let retry)):
            places[process.place] = .busy(process, Work(), retry, deadline: now + limits.timeout)
            return [.send(process, retry.request)]
        case .starting(_, _, nil):
            places[process.place] = .idle(process, Work())
            return assign(now: now)
        case .idle, .busy:
            return misbehaved(process)
        case .ending, .empty, nil:
            return []
        }
    }

    /// A process has answered for a job.
    public mutating func answered(_ process: ProcessID, job: JobID, took: Duration, now: Duration) -> [Action]
    {
        switch place(of: process) {
        case .busy(_, var work, let attempt, _) where attempt.request.job == job:
            deaths[process.place] = 0
            work.pictures += 1
            work.time += max(.zero, took)
            let delivered = Action.deliver(attempt.request)
            guard work.pictures < limits.recycleAfter, work.time < limits.recycleAfterWork else {
                places[process.place] = .ending(process, blame: .nobody)
                return [delivered, .kill(process)]
            }
            places[process.place] = .idle(process, work)
            return [delivered] + assign(now: now)
        case .starting, .idle, .busy:
            // An answer that nobody asked for.
            return misbehaved(process)
        case .ending, .empty, nil:
            return []
        }
    }

    /// A process has broken the protocol: nothing more from it can be believed.
    public mutating func misbehaved(_ process: ProcessID) -> [Action] {
        switch place(of: process) {
        case .starting(_, _, let retry):
            places[process.place] = .ending(process, blame: .start(retry))
        case .idle:
            places[process.place] = .ending(process, blame: .process(nil))
        case .busy(_, _, let attempt, _):
            places[process.place] = .ending(process, blame: .process(attempt))
        case .ending, .empty, nil:
            return []
        }
        return [.kill(process)]
    }

    /// A process has ended, or couldn't be started.
    public mutating func ended(_ process: ProcessID, now: Duration) -> [Action] {
        guard let old = place(of: process) else { return [] }
        var actions: [Action] = []
        var ready = true
        var retry: Attempt?
        switch old {
        case .empty:
            return []
        case .starting(_, _, let attempt), .ending(_, .start(let attempt)):
            ready = false
            deaths[process.place] += 1
            retry = attempt
        case .ending(_, .nobody):
            break
        case .idle, .ending(_, .process(nil)):
            deaths[process.place] += 1
        case .busy(_, _, let attempt, _), .ending(_, .process(.some(let attempt))):
            deaths[process.place] += 1
            if attempt.number == 1 {
                retry = Attempt(request: attempt.request, number: 2)
            } else {
                actions.append(.report(attempt.request, .crashed))
            }
        }
        let delay = limits.delay(afterDeaths: deaths[process.place], ready: ready)
        places[process.place] = .empty(until: now + delay, retry: retry)
        return actions + advance(now: now)
    }

    /// Gives waiting documents to processes that are ready, in order.
    private mutating func assign(now: Duration) -> [Action] {
        var actions: [Action] = []
        for index in places.indices {
            guard !queue.isEmpty else { break }
            guard case .idle(let process, let work) = places[index] else { continue }
            let attempt = Attempt(request: queue.removeFirst(), number: 1)
            places[index] = .busy(process, work, attempt, deadline: now + limits.timeout)
            actions.append(.send(process, attempt.request))
        }
        return actions
    }

    /// What is known of a process; nil when it has been replaced, and nothing that it does matters.
    private func place(of process: ProcessID) -> Place? {
        let place = places[process.place]
        switch place {
        case .empty: return nil
        case .starting(let current, _, _), .idle(let current, _), .busy(let current, _, _, _),
            .ending(let current, _):
            return current == process ? place : nil
        }
    }
}
