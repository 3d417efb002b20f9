import JobCore
import JobEngine
import JobModel
import Logging
import Settings
import Synchronization
import Vocabulary

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
            if let bound {
                let allowance = keeping.allowance(ofEnded: endedCount, now: now())
                keeping.forgot(await forget(atMost: allowance, endedBefore: bound))
            }
            try? await Task.sleep(for: .seconds(keeping.interval))
        }
    }

    private var endedCount: Int {
        let counts = control.status().jobsByState
        return [JobState.done, .failed, .cancelled].reduce(0) { $0 + counts[$1, default: 0] }
    }

    /// Returns the number of jobs that were forgotten, or may have been.
    private func forget(atMost limit: Int, endedBefore bound: Timestamp) async -> Int {
        do {
            let answer = try await control.forget(endedBefore: bound, of: queries, atMost: limit)
            guard answer.forgotten > 0 else { return 0 }
            let more =
                answer.forgotten < limit
                ? "" : "; others may follow in a day, and at once with facefetch forget --ended-before"
            logger.notice(
                "forgot \(answer.forgotten) jobs that had ended before \(bound.rfc3339) (jobs.keep)\(more)"
            )
            return answer.forgotten
        } catch is CancellationError {
            return 0
        } catch {
            logger.warning("jobs that ended before \(bound.rfc3339) are kept for now: \(error)")
            return limit
        }
    }
}
