import Foundation
import Glibc

/// A directory on a memory disk and a web server on it, for all measures.
final class Workshop {
    let server: WebServer
    private let directory: String

    init(plan: Plan) throws {
        // Memory that the system has mounted already, so that nothing waits for a disk.
        directory = "/dev/shm/facefetch-bench-\(getpid())"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        do {
            server = try WebServer(directory: directory)
        } catch {
            try? FileManager.default.removeItem(atPath: directory)
            throw error
        }
    }

    /// Ends the server and removes everything.
    func close() {
        server.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Runs with an empty directory that is gone afterwards.
    func withDirectory<Result>(_ name: String, _ body: (String) throws -> Result) throws -> Result {
        let path = directory + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    /// Writes lines into a file of the workshop, and says its path.
    func write(_ lines: [String], to name: String) throws -> String {
        let path = directory + "/" + name
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Runs ours and theirs in pairs; who is first changes from pair to pair.
    func pairs<Figure>(
        _ runs: Int,
        ours: () throws -> Figure,
        theirs: () throws -> Figure
    ) rethrows -> [(ours: Figure, theirs: Figure)] {
        try (0..<runs).map { run in
            if run.isMultiple(of: 2) {
                let first = try ours()
                return (first, try theirs())
            }
            let first = try theirs()
            return (try ours(), first)
        }
    }
}
