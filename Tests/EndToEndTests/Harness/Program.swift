import Foundation
import Glibc
import Synchronization
import Testing

/// A real binary of this build, run as a process.
final class Program: Sendable {
    /// What a process that has ended left.
    struct Result: Sendable {
        var status: Int32
        var output: String
        var errors: String

        /// The lines of its standard output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// The process's id.
    let id: Int32
    private let outputLines: AsyncStream<String>
    private let errorLines: AsyncStream<String>
    private let ended: Task<Int32, Never>
    private let heard = Mutex<[String]>([])

    /// Where this build's programs are: beside the test bundle.
    static let directory: String = {
        var url = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while url.path != "/" {
            url.deleteLastPathComponent()
            let candidate = url.appendingPathComponent("facefetchd").path
            if FileManager.default.isExecutableFile(atPath: candidate) { return url.path }
        }
        return "."
    }()

    /// Starts one of this build's programs, or one named by its path.
    init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let process = Process()
        let path = name.hasPrefix("/") ? name : Self.directory + "/" + name
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        outputLines = Self.lines { process.standardOutput = $0 }
        errorLines = Self.lines { process.standardError = $0 }
        let (statuses, tell) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { process in
            tell.yield(
                process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
            )
            tell.finish()
        }
        try process.run()
        id = process.processIdentifier
        ended = Task {
            for await status in statuses { return status }
            return -1
        }
    }

    /// Runs a program to its end.
    static func run(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> Result {
        let program = try Program(name, arguments, environment: environment)
        async let output = program.rest(program.outputLines)
        async let errors = program.rest(program.errorLines)
        return await Result(status: program.status, output: output, errors: errors)
    }

    /// Waits for a line of standard output that has these words; nil when the
    /// program ended without one.
    func outputLine(containing words: String) async -> String? {
        for await line in outputLines where line.contains(words) { return line }
        return nil
    }

    /// Waits for a line of standard error that has these words.
    func errorLine(containing words: String) async -> String? {
        for await line in errorLines {
            heard.withLock { $0.append(line) }
            if line.contains(words) { return line }
        }
        return nil
    }

    /// All of standard error that hasn't been read yet, once the program has closed it.
    func errorOutput() async -> String { await rest(errorLines) }

    /// The lines of standard error that were passed while waiting for one.
    var heardErrors: [String] { heard.withLock { $0 } }

    /// Sends a signal.
    ///
    /// Foundation starts processes with the signals blocked that this thread has blocked; what
    /// has no handler of its own may need SIGKILL.
    func signal(_ number: Int32) { kill(id, number) }

    /// The exit status, once the process has ended; the signal's negative where one ended it.
    var status: Int32 {
        get async { await ended.value }
    }

    private func rest(_ lines: AsyncStream<String>) async -> String {
        var text = ""
        for await line in lines { text += line + "\n" }
        return text
    }

    private static func lines(_ attach: (Pipe) -> Void) -> AsyncStream<String> {
        let pipe = Pipe()
        attach(pipe)
        let (lines, tell) = AsyncStream<String>.makeStream()
        let thread = Thread {
            var line: [UInt8] = []
            Self.read(pipe.fileHandleForReading) { byte in
                guard byte == 0x0A else { return line.append(byte) }
                let words = String(decoding: line, as: UTF8.self)
                // The engine was told of what can't have happened (``JobDecision/impossibility``).
                if words.contains("a mistake in facefetch") { Issue.record("\(words)") }
                tell.yield(words)
                line.removeAll(keepingCapacity: true)
            }
            if !line.isEmpty { tell.yield(String(decoding: line, as: UTF8.self)) }
            tell.finish()
        }
        thread.start()
        return lines
    }

    /// Reads to the end; Foundation's own reading ends the process at a signal's interruption.
    private static func read(_ handle: FileHandle, _ body: (UInt8) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(handle.fileDescriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            for byte in buffer[..<count] { body(byte) }
        }
    }
}
