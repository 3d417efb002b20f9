import JobModel
import SourceCore
import Synchronization
import Vocabulary

/// Keeps the secrets of sources out of what transfers report of their pictures, since servers repeat what they
/// were sent: in names of files, in redirects, in errors.
public final class RepeatedSecrets: Sendable {
    private let masks = Mutex<[JobID: SecretMask]>([:])

    /// Begins with nothing to hide.
    public init() {}

    /// Begins to hide the secrets of a transfer's source in its reports.
    public func hide(secretsOf request: TransferRequest, from sources: SourceEngine) {
        guard let mask = request.source.flatMap(sources.mask) else { return }
        hide(mask, of: request.job)
    }

    func hide(_ mask: SecretMask, of job: JobID) { masks.withLock { $0[job] = mask } }

    /// Returns reports without the secrets, and forgets those of transfers that have ended.
    public func masked(_ reports: [(JobID, TransferReport)]) -> [(JobID, TransferReport)] {
        // Most jobs have none.
        let known = masks.withLock { masks -> [SecretMask?]? in
            guard !masks.isEmpty else { return nil }
            return reports.map { job, report in
                let mask = masks[job]
                if mask != nil, case .ended = report { masks[job] = nil }
                return mask
            }
        }
        guard let known else { return reports }
        return zip(reports, known).map { report, mask in
            mask.map { (report.0, $0.masked(report.1)) } ?? report
        }
    }
}
