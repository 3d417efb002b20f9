import CurlTransfer
import JobEngine
import JobModel
import SourceEngine
import Vocabulary

/// Transfers whose requests are completed by the sources that their jobs come from.
struct SourceTransfers: TransferPort {
    let transfers: CurlTransfer
    let sources: SourceEngine
    let pages: PageFetcher
    /// The filter that the reports of these transfers pass.
    let secrets: RepeatedSecrets
    /// The engine, which is told of transfers that can't begin.
    let engine: JobEngine

    func start(_ requests: [TransferRequest]) {
        // Most jobs have no source, and nothing is to be done for them.
        guard requests.contains(where: { $0.source != nil }) else { return transfers.start(requests) }
        var completed: [TransferRequest] = []
        for request in requests {
            if let link = sources.newerLink(for: request) {
                // The server would only refuse the old one.
                engine.move(request.job, to: link)
                engine.received([(request.job, .ended(.unsent))])
                continue
            }
            // What a transfer has begun with may come back until its end.
            secrets.hide(secretsOf: request, from: sources)
            do throws(JobFailure) {
                completed.append(try sources.complete(request))
            } catch {
                engine.received(secrets.masked([(request.job, .ended(.interrupted(error, retryAfter: nil)))]))
            }
        }
        transfers.start(completed)
    }

    func confirm(_ jobs: [JobID]) { transfers.confirm(jobs) }
    func survivingSegments(
        of job: JobID,
        at partialPath: String,
        total: Int64,
        validator: Validator
    ) -> SegmentMap? {
        transfers.survivingSegments(of: job, at: partialPath, total: total, validator: validator)
    }

    func stop(_ jobs: [JobID]) { transfers.stop(jobs) }
    func recall(_ jobs: [JobID]) { transfers.recall(jobs) }
    func release(_ host: String) { transfers.release(host) }
    func limitRate(to rate: Int64?) { transfers.limitRate(to: rate) }

    func holdWriting() -> Bool {
        let pagesAreHeld = pages.holdWriting()
        return transfers.holdWriting() && pagesAreHeld
    }

    func goOnWriting() {
        pages.goOnWriting()
        transfers.goOnWriting()
    }
}
