import CLinux
import Foundation

/// Reads what users have sent, one text after another, on a thread of low priority that exists only while
/// there is work.
///
/// Parsing 64 MB takes about a second, which must not hold up any thread that answers requests. Users take
/// turns, and what somebody has given up is not begun. Nothing here may take longer than its text is long:
/// what has no such bound is read in a process of its own.
public final class PatientThread: Sendable {
    private let turns = FairGate<UInt32?>(width: 1)
    private let name: String

    /// The thread's nice value (nice(2)).
    private static let niceness: CInt = 10

    /// A thread that is known by this name, of at most 15 bytes (prctl(2), PR_SET_NAME).
    public init(name: String) { self.name = name }

    /// The number of closures that wait for their turn.
    var waiting: Int { turns.waiting }

    /// Runs a closure for a user on the thread, whatever becomes of the task.
    public func run<Result: Sendable>(
        for user: UInt32?,
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        // A task of its own isn't cancelled.
        _ = await Task { await turns.enter(user) }.value
        defer { turns.leave(user) }
        return await onThread(work)
    }

    /// Runs a closure for a user on the thread; nil if the task was cancelled before it began.
    public func runIfWanted<Result: Sendable>(
        for user: UInt32?,
        _ work: @escaping @Sendable () -> Result
    ) async -> Result? {
        guard await turns.enter(user) else { return nil }
        defer { turns.leave(user) }
        return await onThread(work)
    }

    private func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        let name = name
        return await withCheckedContinuation { continuation in
            Thread {
                CLinux_begin_thread(name, Self.niceness)
                continuation.resume(returning: work())
            }.start()
        }
    }
}
