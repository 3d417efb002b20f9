import JobCore
import JobEngine
import JobModel
import Logging
import Settings
import Synchronization

/// Forgets ended jobs when they have been kept for as long as the settings say.
final class KeptJobs: Part {
    private let control: any JobControl
    private let queries: any JobQueries
    private let now: @Sendable () -> Moment
    private let doubt: ClockDoubt
    private let logger: Logger
    private let work = Mutex<(keep: Double?, task: Task<Void, Never>?)>((nil, nil))

    init(on ground: Ground) {
        (control, queries, now, logger) = (ground.engine, ground.store, ground.now, ground.logger)
        doubt = ClockDoubt(
            now: now(),
            last: ground.lastSeen,
            stateDirectory: ground.settings.paths.state,
            logger: logger
        )
    }

    func configure(_ settings: DaemonSettings) -> Change? {
        { self.configure(keep: settings.jobs.keep) }
    }

    /// Keeps ended jobs for so many seconds from now on; nil for ever.
    private func configure(keep: Double?) {
        work.withLock { work in
            guard keep != work.keep else { return }
            work.task?.cancel()
            work.keep = keep
            work.task = keep.map { time in
                let keeping = JobKeeping(time: time, doubtedSince: doubt.moment)
                return Task(priority: .utility) { [self] in await run(keeping) }
            }
        }
    }

    /// Gives up; what is left is forgotten by the next run of the daemon.
    func stop() async {
        let work = work.withLock(\.task)
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
