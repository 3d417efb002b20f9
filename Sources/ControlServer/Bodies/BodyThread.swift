import CLinux
import Foundation
import Synchronization

/// Where large bodies are read, one after the other: a thread that gives way to all others, and
/// that is there only while there is something to read.
///
/// Reading 64 MB takes about a second. None of the threads that answer is to be held up by that.
final class BodyThread: Sendable {
    private struct State {
        var line: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Mutex(State())

    /// How much less of the processors it gets than others do (nice(2)).
    private static let niceness: CInt = 10

    /// Does something on the thread.
    func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let starts = state.withLock { state in
                state.line.append { continuation.resume(returning: work()) }
                defer { state.isRunning = true }
                return !state.isRunning
            }
            guard starts else { return }
            Thread {
                CLinux_begin_thread("ff-bodies", Self.niceness)
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
