import CLinux
import Foundation
import Synchronization

/// Reads what strangers have written, one text after another, on a thread of low priority that exists only
/// while there is work.
///
/// Parsing 64 MB takes about a second, which must not hold up any thread that answers requests.
public final class PatientThread: Sendable {
    private struct State {
        var line: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let name: String

    /// The thread's nice value (nice(2)).
    private static let niceness: CInt = 10

    /// A thread that is known by this name, of at most 15 bytes (prctl(2), PR_SET_NAME).
    public init(name: String) { self.name = name }

    /// Runs a closure on the thread.
    public func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let starts = state.withLock { state in
                state.line.append { continuation.resume(returning: work()) }
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
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            state.isRunning = !state.line.isEmpty
            return state.isRunning ? state.line.removeFirst() : nil
        }
    }
}
