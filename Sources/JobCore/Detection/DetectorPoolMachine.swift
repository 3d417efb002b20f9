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
}
