import Foundation
import Glibc

/// A host on loopback that is one of the Python scripts: it prints its ports, and on SIGTERM what it has measured.
final class ScriptedHost {
    private let script: String
    private let output: String
    private var ports: [Int] = []
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
        ports = lines.first?.split(separator: " ").compactMap { Int($0) } ?? []
        guard !ports.isEmpty else { throw BenchError.failed("\(script).py has no port") }
    }

    deinit { stop() }

    /// Returns a URL of it, at one of the addresses of this machine and one of its ports.
    func url(_ path: String, at address: String = "127.0.0.1", port: Int = 0) -> String {
        "http://\(address):\(ports[port])/\(path)"
    }

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
