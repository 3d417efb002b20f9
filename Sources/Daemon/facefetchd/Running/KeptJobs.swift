import JobCore
import JobEngine
import JobModel
import Logging
import Synchronization

/// Forgets ended jobs when they have been kept for as long as the settings say.
final class KeptJobs: Sendable {
    private let control: any JobControl
    private let queries: any JobQueries
    private let now: @Sendable () -> Moment
    private let doubt: ClockDoubt
    private let logger: Logger
    private let work = Mutex<Task<Void, Never>?>(nil)

    init(
        control: any JobControl,
        queries: any JobQueries,
        now: @escaping @Sendable () -> Moment,
        doubt: ClockDoubt,
        logger: Logger
    ) {
        self.control = control
        self.queries = queries
        self.now = now
        self.doubt = doubt
        self.logger = logger
    }

    /// Keeps ended jobs for so many seconds from now on; nil for ever.
    func configure(keep: Double?) {
        work.withLock { work in
            work?.cancel()
            work = keep.map { time in
                let keeping = JobKeeping(time: time, doubtedSince: doubt.moment)
                return Task(priority: .utility) { [self] in await run(keeping) }
            }
        }
    }

    /// Gives up; what is left is forgotten by the next run of the daemon.
    func stop() async {
        let work = work.withLock { $0 }
        work?.cancel()
        await work?.value
    }

    private func run(_ given: JobKeeping) async {
        var keeping = given
        while !Task.isCancelled {
            let bound = keeping.bound(now: now(), isSynchronized: doubt.isSynchronized)
            if keeping.doubtedSince == nil { doubt.end() }
            if let bound { await forget(endedBefore: bound) }
            try? await Task.sleep(for: .seconds(keeping.interval))
        }
    }

    private func forget(endedBefore bound: Timestamp) async {
        do {
            let answer = try await control.forget(endedBefore: bound, of: queries)
            guard answer.forgotten > 0 else { return }
            logger.notice(
                "forgot \(answer.forgotten) jobs that had ended before \(bound.rfc3339) (jobs.keep)"
            )
        } catch is CancellationError {
            return
        } catch {
            logger.warning("jobs that ended before \(bound.rfc3339) are kept for now: \(error)")
        }
    }
}
