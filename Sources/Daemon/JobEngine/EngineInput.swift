import JobCore
import JobModel
import Vocabulary

/// An input to the engine.
enum EngineInput: Sendable {
    case transfers([(JobID, TransferReport)])
    case storage([(JobID, StorageReport)])
    case detected(JobID, DetectionResult)
    case submit(Submission, reply: Reply<AcceptedBatch>)
    /// A source's change that brings no job.
    case keep(SourceWrite, reply: Reply<Void>)
    /// The answer to a batch of which nothing was new.
    case keepAnswer(StoreChanges.EmptyAnswer, reply: Reply<Void>)
    case steer(SteeringAction, JobID, reply: Reply<Job>)
    case steerAll(SteeringAction, reply: Reply<Int>)
    /// Steers those of the jobs that are in one of the states when it is their turn; nil leaves that to each job.
    case steerMany(SteeringAction, [JobID], in: [JobState]? = nil, reply: Reply<Int>)
    case forget([JobID], reply: Reply<ForgottenJobs>)
    /// A client says which jobs it looks at.
    case attend(Attention.Client, visible: [JobID], near: [JobID], reply: Reply<Void>)
    /// A document has been served that may be removed to make room; `takeServed` of the ports says which.
    case served
    case renew(BatchID, seconds: Int?, reply: Reply<Void>)
    case removeDocument(JobID, reply: Reply<Job>)
    case setGate(open: Bool, reply: Reply<Void>)
    /// Opens or holds the gate as someone comes and goes, which is not remembered across restarts.
    case followGate(open: Bool)
    /// A change of the connection: true if it is metered.
    case metered(Bool)
    /// Somebody has seen that a directory is not where it should be.
    case suspectStorage
    /// A try to write to the directories has come back, with the reason for which nothing can be.
    case storageTried(String?)
    /// Somebody asks for the hosts of unfinished jobs, whose list whoever gets the reply makes.
    case hosts(reply: Reply<HostList>)
    /// A person ends the hold of a host before its time; the answer is nil for a host that nobody asks.
    case releaseHost(String, reply: Reply<HostStatus?>)
    case reconfigure(JobEngineConfiguration)
    case checkIn(@Sendable () -> Void)

    /// A callback for an answer, called once when that is durable.
    typealias Reply<Value> = @Sendable (Result<Value, ControlError>) -> Void
}

extension EngineInput {
    /// Tells a waiting caller that the engine is stopping.
    func refuse() {
        switch self {
        case .transfers, .storage, .detected, .followGate, .metered, .reconfigure, .checkIn, .served,
            .suspectStorage, .storageTried:
            break
        case .submit(_, let reply): reply(.failure(.stopping))
        case .keep(_, let reply), .keepAnswer(_, let reply): reply(.failure(.stopping))
        case .steer(_, _, let reply): reply(.failure(.stopping))
        case .steerAll(_, let reply), .steerMany(_, _, _, let reply): reply(.failure(.stopping))
        case .forget(_, let reply): reply(.failure(.stopping))
        case .attend(_, _, _, let reply), .setGate(_, let reply), .renew(_, _, let reply):
            reply(.failure(.stopping))
        case .removeDocument(_, let reply): reply(.failure(.stopping))
        case .hosts(let reply): reply(.failure(.stopping))
        case .releaseHost(_, let reply): reply(.failure(.stopping))
        }
    }
}

/// The hosts of unfinished jobs as they were after an input, of which a list is made by whoever wants it.
struct HostList: Sendable {
    /// The queue, which is copied only where it changes meanwhile.
    let transfers: TransferQueue
    /// The time of the input.
    let now: Moment

    /// Returns the hosts, by the bytes of their names.
    func made() -> [HostStatus] {
        transfers.hostStatuses(now: now).sorted { $0.host.utf8.lexicographicallyPrecedes($1.host.utf8) }
    }
}
