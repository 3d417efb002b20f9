import Foundation
import Glibc
import Synchronization

/// The built client as a process of its own, its output in pipes or on a pseudo-terminal.
final class ClientProcess: Sendable {
    /// The output of a process, and its end.
    struct Result: Sendable {
        var status: Int32
        /// True when a signal ended it; ``status`` is its number then.
        var wasKilled: Bool
        var output: String
        var errors: String

        /// The lines of ``output``.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// The output so far to standard output, or to the terminal.
    let output: Transcript
    /// The output so far to standard error.
    let errors: Transcript
    /// Its process id.
    let pid: Int32
    private let ended: Task<(Int32, Bool), Never>

    /// Starts it.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - environment: Its environment, beside PATH.
    ///   - input: What it reads from standard input.
    ///   - terminal: A window to write to instead of a pipe.
    ///   - errorsToo: Whether standard error goes there as well.
    init(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = "",
        terminal: PseudoTerminal? = nil,
        errorsToo: Bool = false
    ) throws {
        var actions = SpawnActions()
        if let terminal, errorsToo {
            errors = terminal.transcript
        } else {
            errors = Transcript(reading: try actions.pipe(to: STDERR_FILENO))
        }
        if let terminal {
            // The first terminal that a new session opens is its own, so that Ctrl-C works.
            actions.open(terminal.clientPath, as: STDIN_FILENO)
            actions.open(terminal.clientPath, as: STDOUT_FILENO)
            if errorsToo { actions.open(terminal.clientPath, as: STDERR_FILENO) }
            output = terminal.transcript
        } else {
            output = Transcript(reading: try actions.pipe(to: STDOUT_FILENO))
            let writeEnd = try actions.pipe(from: STDIN_FILENO)
            let bytes = Array(input.utf8)
            Thread.detachNewThread {
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { write(writeEnd, $0.baseAddress, $0.count) }
                    guard count > 0 else { break }
                    rest = rest.dropFirst(count)
                }
                close(writeEnd)
            }
        }
        let all = environment.merging(["PATH": "/usr/bin:/bin", "TZ": "UTC"]) { own, _ in own }
        let pid = try actions.spawn(
            Self.executable,
            arguments: arguments,
            environment: all,
            inOwnSession: terminal != nil
        )
        self.pid = pid
        terminal?.closeClientEnd()
        let (stream, continuation) = AsyncStream<(Int32, Bool)>.makeStream()
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7f
            continuation.yield(signal == 0 ? (status >> 8 & 0xff, false) : (signal, true))
            continuation.finish()
        }
        ended = Task {
            for await end in stream { return end }
            return (-1, false)
        }
    }

    /// Waits for its end.
    func result() async -> Result {
        let (status, wasKilled) = await ended.value
        await output.end()
        await errors.end()
        return Result(status: status, wasKilled: wasKilled, output: output.text, errors: errors.text)
    }

    /// Runs the client to its end, its output in pipes.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = ""
    ) async throws -> Result {
        try await ClientProcess(arguments, environment: environment, input: input).result()
    }

    /// The client that was built along with the tests.
    private static var executable: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("facefetch").path
    }
}
