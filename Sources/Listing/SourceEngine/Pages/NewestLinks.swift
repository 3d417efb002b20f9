import JobModel
import Synchronization
import Vocabulary

/// The newest links to the pictures of unfinished jobs, where the latest walk of their source has seen other ones than
/// theirs.
///
/// Links that are signed expire, so a list has others each time. A job takes the newest one once its own turns out to be
/// refused, or has expired by its own date: taking each would write each job anew with each walk.
public final class NewestLinks: Sendable {
    private struct State {
        var new: [JobID: JobURL] = [:]
        /// Those that were new before there was no more room for them.
        var old: [JobID: JobURL] = [:]
    }

    private let state = Mutex(State())

    /// The number of links that are kept for certain; twice as many may be.
    static let room = 10_000

    /// No links yet.
    public init() {}

    /// Notes the newest link of a job.
    func note(_ url: JobURL, of job: JobID) {
        state.withLock { state in
            state.new[job] = url
            guard state.new.count >= Self.room else { return }
            (state.old, state.new) = (state.new, [:])
        }
    }

    /// Returns the newest link of a job instead of one that it has, if that is another, and forgets it.
    func popLink(of job: JobID, insteadOf url: JobURL? = nil) -> JobURL? {
        state.withLock { state in
            let (new, old) = (state.new.removeValue(forKey: job), state.old.removeValue(forKey: job))
            guard let newest = new ?? old, newest != url else { return nil }
            return newest
        }
    }

    /// Goes through reports of transfers: jobs whose links have turned out to have expired are passed to `move` with
    /// their newest ones, before anybody hears of the failure; of those that are done nothing is remembered.
    public func follow(_ reports: [(JobID, TransferReport)], _ move: (JobID, JobURL) -> Void) {
        guard state.withLock({ !$0.new.isEmpty || !$0.old.isEmpty }) else { return }
        for (job, report) in reports {
            switch report {
            case .ended(.refused(let failure)) where PageSelection.expired.contains(failure.code),
                .ended(.interrupted(let failure, _)) where PageSelection.expired.contains(failure.code):
                if let url = popLink(of: job) { move(job, url) }
            case .ended(.completed), .ended(.buffered): _ = popLink(of: job)
            default: break
            }
        }
    }
}

extension SourceEngine {
    /// Returns the newest link to a transfer's picture, where its own has expired by its own date; nil where there is
    /// none, or it hasn't.
    public func newerLink(for request: TransferRequest) -> JobURL? {
        guard request.source != nil, let expiry = request.url.expiry, expiry <= parts.now().wall else {
            return nil
        }
        return links.popLink(of: request.job, insteadOf: request.url)
    }
}
