import JobModel
import Vocabulary

/// The decision that the document store hashes the beginning of a large file while the rest arrives.
///
/// That has no visible effect, so it need not wait for the commit.
enum PartialFollowing: Equatable {
    /// A body begins, before which the partial has this many bytes without a hole.
    case begins(at: Int64)
    /// The partial has this many bytes without a hole, which are worth hashing now.
    case grew(to: Int64)

    /// The length in bytes from which it is worth hashing a partial while it grows.
    static let leastLength: Int64 = 8 << 20
    /// The speed in bytes per second up to which it is worth it: that of hashing on a processor without
    /// instructions for SHA-256.
    ///
    /// Hashing would not keep up with faster transfers, and would take memory bandwidth from a transfer
    /// that someone waits for, whereas only detectors wait for the hash.
    static let highestRate = 250e6

    /// Decides what follows from a report that the job's machine has taken in; nil for nothing.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - live: The job as it is now; nil if there is none.
    ///   - rate: The transfer's speed in bytes per second; nil if it isn't running.
    init?(after report: TransferReport, of live: LiveJob?, rate: @autoclosure () -> Double?) {
        switch report {
        case .began(let start):
            let prefix = live?.machine.job.segments?.prefix
            self = .begins(at: start.mode == .resumed ? prefix ?? start.offset : 0)
        case .progressed, .kept:
            guard let live, case .transferring = live.machine.activity else { return nil }
            let prefix = live.machine.job.segments?.prefix ?? live.machine.job.bytes
            guard prefix >= Self.leastLength, rate() ?? 0 <= Self.highestRate else { return nil }
            self = .grew(to: prefix)
        case .restarting, .synced, .requested, .shared, .ended: return nil
        }
    }

    /// Tells the document store.
    func tell(_ documents: any DocumentPort, of job: JobID) {
        switch self {
        case .begins(let length): documents.partialBegins(job, at: length)
        case .grew(let length): documents.partialGrew(job, to: length)
        }
    }
}
