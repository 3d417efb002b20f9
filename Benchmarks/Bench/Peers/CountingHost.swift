import Foundation
import Glibc

/// A host that allows so many requests in a length of time, asks everybody else to wait, and counts.
final class CountingHost {
    /// The numbers of requests.
    struct Counts {
        var answered: Int
        var refused: Int
    }

    private let output: String
    private var port = 0
    private var pid: pid_t = 0

    /// Starts it and waits until it listens; `status` is that of its refusals, which say how long to wait.
    init(in directory: String, allowing requests: Int, every seconds: Int, refusing status: Int) throws {
        output = directory + "/host.txt"
        let errors = directory + "/host.err"
        pid = try Python.command("counting_host", [String(requests), String(seconds), String(status)])
            .start(errors: errors, output: output)
        let deadline = Clock.seconds() + 10
        while lines.isEmpty {
            guard Clock.seconds() < deadline else {
                let text = FileManager.default.contents(atPath: errors) ?? Data()
                throw BenchError.failed("counting_host.py says \(String(decoding: text, as: UTF8.self))")
            }
            usleep(5000)
        }
        guard let number = lines.first.flatMap({ Int($0) }) else {
            throw BenchError.failed("counting_host.py has no port")
        }
        port = number
    }

    deinit { stop() }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// Ends it, and says how often it was asked.
    func end() throws(BenchError) -> Counts {
        stop()
        let numbers = lines.dropFirst().first?.split(separator: " ").compactMap { Int($0) } ?? []
        guard numbers.count == 2 else { throw .failed("counting_host.py has counted nothing") }
        return Counts(answered: numbers[0], refused: numbers[1])
    }

    /// The lines that it has printed as a whole.
    private var lines: [String] {
        let text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private func stop() {
        guard pid != 0 else { return }
        kill(pid, SIGTERM)
        waitpid(pid, nil, 0)
        pid = 0
    }
}
