import ControlAPI
import Vocabulary

/// Has the fingerprints made of documents that were looked at before there were any.
struct FingerprintRun {
    private let client: ControlClient
    /// The fingerprints that were made.
    private(set) var made = 0
    /// The documents with too little in them for one.
    private(set) var left = 0
    /// The status of the last failure.
    private(set) var worst: ExitStatus?

    init(client: ControlClient) { self.client = client }

    /// Has it made for a job, whatever its result.
    mutating func make(for job: Int64) throws {
        do {
            let before = try client.job(job)
            try make(for: before)
        } catch let error as ClientError where error.status != .unreachable {
            note(error, job)
        }
    }

    /// Has those made of all jobs that a filter lets through.
    mutating func make(_ filter: [(name: String, value: String?)]) throws {
        let client = client
        try client.forEachPage(filter) { page in
            for job in page where job.detection?.outcome == .known(.counted) && job.path != nil {
                do { try make(for: job) } catch let error as ClientError where error.status != .unreachable {
                    note(error, job.id)
                }
            }
        }
    }

    /// The sentence about what was done.
    var sentence: String {
        made == 0 && left == 0 && worst == nil
            ? "There was nothing to do." : "\(Quantities.count(made, "fingerprint")) made."
    }

    private mutating func make(for job: JobJSON) throws {
        guard job.detection?.fingerprint == nil else { return }
        let result = try client.makeFingerprint(job.id)
        if result.detection?.fingerprint != nil { made += 1 } else { left += 1 }
    }

    private mutating func note(_ error: ClientError, _ job: Int64) {
        Output.note("\(JobID(job)): \(error.message)")
        worst = error.status
    }
}
