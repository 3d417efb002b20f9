import ControlAPI
import Glibc
import Vocabulary

/// Has the fingerprints made of documents that were looked at before there were any.
struct FingerprintRun {
    private let client: ControlClient
    /// The fingerprints that were made.
    private(set) var made = 0
    /// The documents that have one now, or can't have one.
    private(set) var left = 0
    /// The worst that happened.
    private(set) var worst: ExitStatus?

    init(client: ControlClient) { self.client = client }

    /// The times that a busy daemon is asked again, and the wait in between in microseconds.
    private static let (tries, wait) = (60, UInt32(500_000))

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
        made == 0 && worst == nil
            ? "There was nothing to do." : "\(Quantities.count(made, "fingerprint")) made."
    }

    private mutating func make(for job: JobJSON) throws {
        guard job.detection?.fingerprint == nil else { return }
        var tries = 0
        while true {
            do {
                let result = try client.makeFingerprint(job.id)
                if result.detection?.fingerprint != nil { made += 1 } else { left += 1 }
                return
            } catch let error as ClientError where error.code == ProblemCode.busy.rawValue {
                tries += 1
                guard tries < Self.tries else { throw error }
                usleep(Self.wait)
            }
        }
    }

    private mutating func note(_ error: ClientError, _ job: Int64) {
        Output.note("j\(job): \(error.message)")
        worst = error.status
    }
}
