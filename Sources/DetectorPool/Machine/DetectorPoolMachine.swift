import JobCore

/// Decides what detector processes do: who looks at which picture, who is started, stopped, replaced.
///
/// A process is started when a picture waits for it, and ends after a while without one.
/// Each picture is tried once: whether it is tried again is for who handed it in, since
/// that has to be written down first.
///
/// Every input is a method that takes the moment as an argument and gives back
/// what to do, in order. The processes themselves are somebody else's.
struct DetectorPoolMachine: Sendable {
    /// Names a process; never used twice.
    struct ProcessID: Hashable, Sendable {
        /// The place that the process has among the workers, from 0.
        let place: Int
        /// Counts the processes that the pool has started.
        let serial: Int
    }

    /// Something that has to be done.
    enum Action: Hashable, Sendable {
        /// Start a process.
        case start(ProcessID)
        /// Send the request to a process that is ready.
        case send(ProcessID, DetectionRequest)
        /// Let a process end by itself, by closing its standard input. Its end is awaited as any other.
        case finish(ProcessID)
        /// Stop a process at once. Its end is awaited as any other.
        case kill(ProcessID)
        /// Tell what came of a document, where its process couldn't.
        case report(DetectionRequest, DetectionOutcome)
        /// Tell what a process has answered.
        case deliver(DetectionRequest)
    }

    /// The state of the process in a place.
    enum Place: Hashable, Sendable {
        /// No process, and none before a moment; → starting when a picture waits then.
        case empty(until: Duration)
        /// Started, not ready; → idle by a greeting, → ending when it takes too long, → empty by death.
        case starting(ProcessID, deadline: Duration)
        /// Ready; → busy by a picture, → finishing when none has come until a moment,
        /// → ending by misbehaviour, → empty by death.
        case idle(ProcessID, Work, until: Duration)
        /// Looking; → idle by an answer, → ending by time-out, withdrawal, misbehaviour
        /// or because it has done enough, → empty by death.
        case busy(ProcessID, Work, DetectionRequest, deadline: Duration)
        /// Told that nothing more comes; → ending when it takes too long, → empty by its end.
        case finishing(ProcessID, deadline: Duration)
        /// Told to stop; → empty by its end. Only then is it told that it failed on a picture.
        case ending(ProcessID, blame: Blame)
    }

    /// The work of a process since it started.
    struct Work: Hashable, Sendable {
        var pictures = 0
        var time: Duration = .zero
    }

    /// The reason why a process is being stopped, which decides what its end means.
    enum Blame: Hashable, Sendable {
        /// We wanted it to end, through no fault of its own.
        case nobody
        /// It never became ready, which is no picture's fault.
        case start
        /// It broke the protocol, perhaps over a picture.
        case process(DetectionRequest?)
    }

    let limits: DetectorPoolLimits
    var places: [Place]
    var queue: [DetectionRequest] = []
    var deaths: [Int]
    var serial = 0

    /// A pool with no process; the first picture starts one.
    init(limits: DetectorPoolLimits) {
        self.limits = limits
        places = Array(repeating: .empty(until: .zero), count: limits.workers)
        deaths = Array(repeating: 0, count: limits.workers)
    }

    /// The next moment at which ``advance(now:)`` has something to do; nil when only an event can change anything.
    var nextDeadline: Duration? {
        let lacks = lacking > 0
        return places.lazy.compactMap { place in
            switch place {
            case .empty(let until): lacks ? until : nil
            case .idle(_, _, let until): until
            case .starting(_, let deadline), .busy(_, _, _, let deadline), .finishing(_, let deadline):
                deadline
            case .ending: nil
            }
        }.min()
    }

    /// Documents that wait for a process.
    var waiting: Int { queue.count }

    /// How many processes the waiting documents lack: no process is starting for them.
    var lacking: Int {
        guard !queue.isEmpty else { return 0 }
        let coming = places.count { if case .starting = $0 { true } else { false } }
        return max(0, queue.count - coming)
    }
}
