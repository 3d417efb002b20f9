import JobModel
import Vocabulary

/// Decides what detector processes do: which looks at which picture, and which are started, stopped or
/// replaced.
///
/// A process is started when a picture waits for it, and ends after a while without one. Each picture is
/// tried once. Whether it is tried again is up to the caller, because that must be stored first.
///
/// Every input is a method that takes the current time as an argument and returns the actions to take,
/// in order. This type does no I/O.
struct DetectorPoolMachine: Sendable {
    /// The identity of a process, which is never reused.
    struct ProcessID: Hashable, Sendable {
        /// The place of the process among the workers, from 0.
        let place: Int
        /// The serial number of the process in the pool.
        let serial: Int
    }

    /// An action to take.
    enum Action: Hashable, Sendable {
        /// Start a process.
        case start(ProcessID)
        /// Send a request to a process that is ready.
        case send(ProcessID, DetectionRequest)
        /// Let a process end by itself by closing its standard input; its end is awaited as usual.
        case finish(ProcessID)
        /// Kill a process at once; its end is awaited as usual.
        case kill(ProcessID)
        /// Report the outcome for a document whose process could not.
        case report(DetectionRequest, DetectionOutcome)
        /// Report the answer of a process.
        case deliver(DetectionRequest)
    }

    /// The state of the process in a place.
    enum Place: Hashable, Sendable {
        /// There is no process, and none is started before this time; → starting when a picture waits
        /// then.
        case empty(until: Duration)
        /// Started but not ready; → idle by a greeting, → ending when it takes too long, → empty by
        /// death.
        case starting(ProcessID, deadline: Duration)
        /// Ready; → busy by a picture, → finishing when none has come until this time, → ending by
        /// misbehaviour, → empty by death.
        case idle(ProcessID, Work, until: Duration)
        /// Looking; → idle by an answer, → ending by time-out, withdrawal, misbehaviour
        /// or because it has done enough, → empty by death.
        case busy(ProcessID, Work, DetectionRequest, deadline: Duration)
        /// Told to finish; → ending when it takes too long, → empty by its end.
        case finishing(ProcessID, deadline: Duration)
        /// Killed; → empty by its end, upon which its failure on a picture is reported.
        case ending(ProcessID, blame: Blame)
    }

    /// The work of a process since it started.
    struct Work: Hashable, Sendable {
        var pictures = 0
        var time: Duration = .zero
    }

    /// The reason why a process is being stopped, which decides what its end means.
    enum Blame: Hashable, Sendable {
        /// It was stopped through no fault of its own.
        case nobody
        /// It never became ready, which is no picture's fault.
        case start
        /// It could not open the documents directory, which is no picture's fault either.
        case directory
        /// It violated the protocol, perhaps because of a picture.
        case process(DetectionRequest?)
    }

    let limits: DetectorPoolLimits
    var places: [Place]
    var queue: [DetectionRequest] = []
    var deaths: [Int]
    var serial = 0
    /// The number of looks in a row, by all processes, for which the documents directory could not be opened.
    var looksShutOut = 0

    /// Creates a pool without processes; the first picture starts one.
    init(limits: DetectorPoolLimits) {
        self.limits = limits
        places = Array(repeating: .empty(until: .zero), count: limits.workers)
        deaths = Array(repeating: 0, count: limits.workers)
    }

    /// The next time at which ``advance(now:)`` has something to do; nil if only an event can change
    /// anything.
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

    /// The number of documents that wait for a process.
    var waiting: Int { queue.count }

    /// The number of processes that the waiting documents lack, not counting those being started.
    var lacking: Int {
        guard !queue.isEmpty else { return 0 }
        let coming = places.count { if case .starting = $0 { true } else { false } }
        return max(0, queue.count - coming)
    }
}

extension DetectorPoolMachine {
    /// The current state of the processes.
    var status: DetectorPoolStatus {
        var status = DetectorPoolStatus()
        status.started = serial
        for place in places {
            switch place {
            case .empty: break
            case .starting: status.starting += 1
            case .idle: status.idle += 1
            case .busy: status.busy += 1
            case .finishing, .ending: status.ending += 1
            }
        }
        return status
    }
}
