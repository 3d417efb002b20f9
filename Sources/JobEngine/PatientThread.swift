import CLinux
import Foundation
import JobCore
import Synchronization

/// Reads what users have sent, one text after another, on a thread of low priority that exists only while
/// there is work.
///
/// Parsing 64 MB takes about a second, which must not hold up any thread that answers requests. Users take
/// turns, and what somebody has given up is not begun. Nothing here may take longer than its text is long:
/// what has no such bound is read in a process of its own.
public final class PatientThread: Sendable {
    private struct State {
        var line = FairLine<UInt32?, Work>()
        var lastNumber = 0
        var isRunning = false
    }

    private struct Work {
        var number: Int
        var run: @Sendable () -> Void
        var giveUp: @Sendable () -> Void
    }

    private let state = Mutex(State())
    private let name: String

    /// The thread's nice value (nice(2)).
    private static let niceness: CInt = 10

    /// A thread that is known by this name, of at most 15 bytes (prctl(2), PR_SET_NAME).
    public init(name: String) { self.name = name }

    /// The number of closures that wait for their turn.
    var waiting: Int { state.withLock { $0.line.count } }

    /// Runs a closure for a user on the thread, whatever becomes of the task.
    public func run<Result: Sendable>(
        for user: UInt32?,
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            let wanted = Work(number: number(), run: { continuation.resume(returning: work()) }, giveUp: {})
            add(user, wanted)
        }
    }

    /// Runs a closure for a user on the thread; nil if the task was cancelled before it began.
    public func runIfWanted<Result: Sendable>(
        for user: UInt32?,
        _ work: @escaping @Sendable () -> Result
    ) async -> Result? {
        let number = number()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wanted = Work(number: number) {
                    continuation.resume(returning: work())
                } giveUp: {
                    continuation.resume(returning: nil)
                }
                add(user, wanted)
                // It may have been cancelled before it was in the line.
                if Task.isCancelled { giveUp(number, of: user) }
            }
        } onCancel: {
            giveUp(number, of: user)
        }
    }

    private func number() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    private func giveUp(_ number: Int, of user: UInt32?) {
        let given = state.withLock { $0.line.remove(of: user) { $0.number == number } }
        for work in given { work.giveUp() }
    }

    private func add(_ user: UInt32?, _ work: Work) {
        let starts = state.withLock { state in
            state.line.append(work, of: user)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        let name = name
        Thread {
            CLinux_begin_thread(name, Self.niceness)
            while let next = self.next() { next() }
        }.start()
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            let next = state.line.next()?.element.run
            state.isRunning = next != nil
            return next
        }
    }
}
