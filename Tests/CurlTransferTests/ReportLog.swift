import JobModel
import Synchronization
import Vocabulary

/// Keeps what a transfer thread reports, and lets tests wait for it.
final class ReportLog: Sendable {
    private struct Watcher {
        var job: JobID
        var isAwaited: @Sendable (TransferReport) -> Bool
        var continuation: CheckedContinuation<TransferReport, Never>
    }

    private struct State {
        var turns: [[(JobID, TransferReport)]] = []
        var watchers: [Watcher] = []
    }

    private let state = Mutex(State())

    func add(_ turn: [(JobID, TransferReport)]) {
        let answers = state.withLock { state in
            state.turns.append(turn)
            var answers: [(Watcher, TransferReport)] = []
            state.watchers.removeAll { watcher in
                guard let report = turn.first(where: { $0 == watcher.job && watcher.isAwaited($1) })?.1
                else { return false }
                answers.append((watcher, report))
                return true
            }
            return answers
        }
        for (watcher, report) in answers { watcher.continuation.resume(returning: report) }
    }

    /// Everything reported of a job so far.
    func reports(of job: JobID) -> [TransferReport] {
        state.withLock { state in state.turns.joined().filter { $0.0 == job }.map(\.1) }
    }

    /// Returns what each call of the handler brought of a job.
    func turns(of job: JobID) -> [[TransferReport]] {
        state.withLock { state in
            state.turns.map { $0.filter { $0.0 == job }.map(\.1) }.filter { !$0.isEmpty }
        }
    }

    /// The first report of a job that fits, now or later.
    func first(
        of job: JobID,
        where isAwaited: @escaping @Sendable (TransferReport) -> Bool
    ) async -> TransferReport {
        await withCheckedContinuation { continuation in
            let report = state.withLock { state -> TransferReport? in
                if let report = state.turns.joined().first(where: { $0 == job && isAwaited($1) })?.1 {
                    return report
                }
                state.watchers.append(Watcher(job: job, isAwaited: isAwaited, continuation: continuation))
                return nil
            }
            if let report { continuation.resume(returning: report) }
        }
    }

    /// Returns the end of a job's transfer, or waits for it.
    func end(of job: JobID) async -> TransferEnd? {
        let report = await first(of: job) { if case .ended = $0 { true } else { false } }
        guard case .ended(let end) = report else { return nil }
        return end
    }
}
