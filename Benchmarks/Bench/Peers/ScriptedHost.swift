import Foundation
import Glibc

/// A host on loopback that is one of the Python scripts: it prints its port, and on SIGTERM what it has measured.
final class ScriptedHost {
    private let script: String
    private let output: String
    private var port = 0
    private var pid: pid_t = 0

    /// Starts a script and waits until it listens.
    init(_ script: String, _ arguments: [String], in directory: String) throws {
        self.script = script
        output = directory + "/host.txt"
        let errors = directory + "/host.err"
        pid = try Python.command(script, arguments).start(errors: errors, output: output)
        let deadline = Clock.seconds() + 10
        while lines.isEmpty {
            guard Clock.seconds() < deadline else {
                let text = FileManager.default.contents(atPath: errors) ?? Data()
                throw BenchError.failed("\(script).py says \(String(decoding: text, as: UTF8.self))")
            }
            usleep(5000)
        }
        guard let number = lines.first.flatMap({ Int($0) }) else {
            throw BenchError.failed("\(script).py has no port")
        }
        port = number
    }

    deinit { stop() }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// Ends it, and returns the numbers that it has measured.
    func end() throws(BenchError) -> [Double] {
        stop()
        guard let line = lines.dropFirst().first else { throw .failed("\(script).py has measured nothing") }
        return line.split(separator: " ").compactMap { Double($0) }
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
