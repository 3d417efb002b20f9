import JobModel
import SourceCore

extension SecretMask {
    /// Returns a report that repeats none of the secrets in what is stored, told or used as a name.
    ///
    /// What proves that a file is the same one, such as its ETag, has to stay as the server has sent it; nobody
    /// is shown that.
    func masked(_ report: TransferReport) -> TransferReport {
        switch report {
        case .restarting(let reason): .restarting(reason: maskedExcerpt(reason))
        case .began(let start): .began(masked(start))
        case .ended(let end): .ended(masked(end))
        case .progressed, .synced, .kept, .requested, .shared: report
        }
    }

    private func masked(_ given: TransferStart) -> TransferStart {
        var start = given
        if case .restarted(let reason) = start.mode { start.mode = .restarted(reason: maskedExcerpt(reason)) }
        start.suggestedName = start.suggestedName.map(masked)
        start.contentType = start.contentType.map(masked)
        // That is shown, unlike the validator, and may have been cut.
        start.response?.finalURL = given.response?.finalURL.map(maskedExcerpt)
        start.response?.contentType = given.response?.contentType.map(maskedExcerpt)
        start.response?.robots = given.response?.robots.map(maskedExcerpt)
        start.response?.entityTag = given.response?.entityTag.map(maskedExcerpt)
        return start
    }

    private func masked(_ end: TransferEnd) -> TransferEnd {
        switch end {
        case .mustRestart(let reason): .mustRestart(reason: maskedExcerpt(reason))
        case .interrupted(let failure, let retryAfter):
            .interrupted(masked(failure), retryAfter: retryAfter)
        case .hindered(let failure, let hindrance): .hindered(masked(failure), by: hindrance)
        case .damaged(let failure): .damaged(masked(failure))
        case .refused(let failure): .refused(masked(failure))
        case .completed, .buffered, .stopped, .unsent: end
        }
    }

    private func masked(_ failure: JobFailure) -> JobFailure {
        JobFailure(failure.code, maskedExcerpt(failure.message))
    }
}
