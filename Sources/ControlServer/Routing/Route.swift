import ControlAPI
import HTTPTypes
import JobCore

/// Everything that can be asked of the control socket.
enum Route: Hashable, Sendable {
    case createBatch
    case listBatches
    case showBatch(BatchID)
    case listJobs
    case showJob(JobID)
    case changeJob(JobID)
    case steerJob(JobID, JobJSON.Steering)
    case steerAll(JobJSON.Steering)
    case setGate(open: Bool)
    case status
    case metrics
    case openAPI
    case events

    /// A way to steer a job, by its name in the path.
    typealias Steering = JobJSON.Steering

    /// What a path offers, by method; nothing where there is no such path.
    static func methods(at path: Substring) -> [HTTPRequest.Method: Route] {
        let parts = path.split(separator: "/", maxSplits: 6, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].isEmpty, parts[1] == "v1" else { return [:] }
        switch parts.dropFirst(2).map({ $0 }) {
        case ["batches"]: return [.get: .listBatches, .post: .createBatch]
        case ["jobs"]: return [.get: .listJobs]
        case ["status"]: return [.get: .status]
        case ["metrics"]: return [.get: .metrics]
        case ["openapi.json"]: return [.get: .openAPI]
        case ["events"]: return [.get: .events]
        case ["detection", "hold"]: return [.post: .setGate(open: false)]
        case ["detection", "release"]: return [.post: .setGate(open: true)]
        case let more where more.count == 2 && more[0] == "batches":
            return id(more[1]).map { [.get: .showBatch(BatchID(rawValue: $0))] } ?? [:]
        case let more where more.count == 2 && more[0] == "jobs":
            if let steering = JobJSON.Steering(rawValue: String(more[1])) {
                return [.post: .steerAll(steering)]
            }
            return id(more[1]).map {
                [.get: .showJob(JobID(rawValue: $0)), .patch: .changeJob(JobID(rawValue: $0))]
            }
                ?? [:]
        case let more where more.count == 3 && more[0] == "jobs":
            guard let id = id(more[1]), let steering = JobJSON.Steering(rawValue: String(more[2])) else {
                return [:]
            }
            return [.post: .steerJob(JobID(rawValue: id), steering)]
        default: return [:]
        }
    }

    /// True for what may change something; the others only look.
    var changesThings: Bool {
        switch self {
        case .createBatch, .changeJob, .steerJob, .steerAll, .setGate: true
        case .listBatches, .showBatch, .listJobs, .showJob, .status, .metrics, .openAPI, .events: false
        }
    }

    /// The query parameters that it takes.
    var parameters: Set<String> {
        switch self {
        case .listJobs: ["state", "batch", "q", "limit", "after"]
        case .listBatches: ["limit", "after"]
        case .events: ["batch", "after", "since", "follow"]
        default: []
        }
    }

    private static func id(_ text: Substring) -> Int64? {
        guard let number = Int64(decimal: text), number > 0 else { return nil }
        return number
    }
}
