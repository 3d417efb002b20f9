import Glibc
import Synchronization

/// A program that a test runs and ends; its standard input and output lead nowhere.
///
/// Foundation's Process hands down the blocked signals of the thread that starts it.
public final class ChildProcess: Sendable {
    /// Why a program can't be run.
    public struct Failure: Error, CustomStringConvertible {
        /// What happened.
        public let description: String
    }

    private struct State {
        var pid: pid_t
        var status: Int32?
    }

    private let state: Mutex<State>

    /// Starts a program.
    public init(_ executable: String, _ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // The shared threads of tests block signals, and a child would inherit that: SIGTERM among them.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, executable, &actions, &attributes, words, environ)
        guard result == 0 else {
            throw Failure(description: "\(executable) can't be run: \(String(cString: strerror(result)))")
        }
        state = Mutex(State(pid: pid))
    }

    deinit { stop() }

    /// Whether it still runs.
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
