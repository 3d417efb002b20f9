import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A real binary of this build, run as a process.
final class Program: Sendable {
    /// The result of a process that has ended.
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
    private let ended: Task<(status: Int32, time: ContinuousClock.Instant), Never>
    private let heard = Mutex<[String]>([])

    /// The folder of this build's programs, which is that of the test bundle.
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
        let path = name.hasPrefix("/") ? name : Self.directory + "/" + name
        let (output, errors) = (try Spawn.pipe(), try Spawn.pipe())
        defer { for end in [output.write, errors.write] { close(end) } }
        outputLines = Self.lines(output.read)
        errorLines = Self.lines(errors.read)
        let id = try Spawn.start(
            path,
            arguments,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            streams: (nil, output.write, errors.write)
        )
        self.id = id
        let (ends, tell) = AsyncStream<(status: Int32, time: ContinuousClock.Instant)>.makeStream()
        let waiting = Thread {
            tell.yield((Spawn.wait(for: id), .now))
            tell.finish()
        }
        waiting.start()
        ended = Task {
            for await end in ends { return end }
            return (-1, .now)
        }
    }

    /// Runs a program to its end, which is at the latest that of the test's time limit.
    static func run(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> Result {
        let program = try Program(name, arguments, environment: environment)
        return await withTaskCancellationHandler {
            async let output = program.rest(program.outputLines)
            async let errors = program.rest(program.errorLines)
            return await Result(status: program.status, output: output, errors: errors)
        } onCancel: {
            program.signal(SIGKILL)
        }
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
    func signal(_ number: Int32) { kill(id, number) }

    /// The exit status, once the process has ended; the signal's negative where one ended it.
    var status: Int32 {
        get async { await ended.value.status }
    }

    /// The time when the process ended; whoever asks may hear of it much later on a busy machine.
    var endTime: ContinuousClock.Instant {
        get async { await ended.value.time }
    }

    private func rest(_ lines: AsyncStream<String>) async -> String {
        var text = ""
        for await line in lines { text += line + "\n" }
        return text
    }

    /// Returns the lines that come through a pipe; closes it at its end.
    private static func lines(_ descriptor: Int32) -> AsyncStream<String> {
        let (lines, tell) = AsyncStream<String>.makeStream()
        let thread = Thread {
            var line: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = Glibc.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                var rest = buffer[..<count]
                while let end = rest.firstLineEnd {
                    let words = String(decoding: line + rest[..<end], as: UTF8.self)
                    // The engine was told of what can't have happened (``JobDecision/impossibility``).
                    if words.contains("a bug in facefetch") { Issue.record("\(words)") }
                    tell.yield(words)
                    line.removeAll(keepingCapacity: true)
                    rest = rest[(end + 1)...]
                }
                line += rest
            }
            if !line.isEmpty { tell.yield(String(decoding: line, as: UTF8.self)) }
            tell.finish()
            close(descriptor)
        }
        thread.start()
        return lines
    }
}

extension ArraySlice<UInt8> {
    /// The place where its first line ends; by memchr(3), since a loop takes long in a debug build.
    fileprivate var firstLineEnd: Int? {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let found = memchr(start, 0x0A, bytes.count) else {
                return nil
            }
            return startIndex + (UnsafeRawPointer(found) - start)
        }
    }
}
