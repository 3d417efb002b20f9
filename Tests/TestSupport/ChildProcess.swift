import Glibc
import Synchronization

/// A program that a test runs and ends; its standard input and output lead nowhere.
public final class ChildProcess: Sendable {
    private struct State {
        var pid: pid_t
        var status: Int32?
    }

    private let state: Mutex<State>

    /// Starts a program.
    public init(_ executable: String, _ arguments: [String]) throws {
        let pid = try Spawn.start(executable, arguments)
        state = Mutex(State(pid: pid))
    }

    deinit { stop() }

    /// True if it still runs.
    public var isRunning: Bool { status(options: WNOHANG) == nil }

    /// Waits for the end; the exit status, or 128 and the signal.
    @discardableResult
    public func wait() -> Int32 { status(options: 0) ?? -1 }

    /// Asks it to end with SIGTERM, and waits until it has.
    public func stop() {
        let pid = state.withLock { $0.status == nil ? $0.pid : nil }
        guard let pid, isRunning else { return }
        kill(pid, SIGTERM)
        wait()
    }

    private func status(options: Int32) -> Int32? {
        state.withLock { state in
            if let status = state.status { return status }
            var raw: Int32 = 0
            guard waitpid(state.pid, &raw, options) == state.pid else { return nil }
            state.status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
            return state.status
        }
    }
}
