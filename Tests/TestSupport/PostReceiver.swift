import Foundation
import Synchronization

/// A receiver of what the daemon posts, `scripts/readers/receiver.py`, which answers as told.
public final class PostReceiver: Sendable {
    private struct State {
        var process: ChildProcess?
        var port = ""
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL.path

    /// The Python that has what verifies webhooks; `scripts/install-readers` makes it.
    private static let readers = root + "/.build/readers/bin/python"
    /// True if that is there.
    public static var canVerify: Bool { FileManager.default.isExecutableFile(atPath: readers) }

    private let directory: TemporaryDirectory
    private let state = Mutex(State())

    /// Prepares a receiver that writes down what it gets in a directory.
    public init(in directory: TemporaryDirectory) { self.directory = directory }

    deinit { stop() }

    /// The port that it has, also after it was stopped.
    public var port: String { state.withLock(\.port) }

    /// Starts it, at the port of the one before.
    ///
    /// - Returns: Whether it serves.
    public func start(_ answers: [String], secret: String? = nil) async throws -> Bool {
        stop()
        let python = secret == nil ? Shell.find("python3") ?? "python3" : Self.readers
        unlink(directory.path("log.port"))
        let port = port
        let variables = ["SECRET=\(secret ?? "")"] + (port.isEmpty ? [] : ["PORT=\(port)"])
        let process = try ChildProcess(
            "/usr/bin/env",
            variables + [python, Self.root + "/scripts/readers/receiver.py", directory.path("log")] + answers
        )
        state.withLock { $0.process = process }
        guard await directory.appears("log.port") else { return false }
        let given = String(decoding: try directory.read("log.port"), as: UTF8.self)
        state.withLock { $0.port = given }
        return true
    }

    /// Ends it.
    public func stop() {
        let process = state.withLock { state in
            defer { state.process = nil }
            return state.process
        }
        process?.stop()
    }

    /// Waits for so many requests, and returns a line of JSON for each.
    public func lines(_ count: Int) async -> [String] {
        let path = directory.path("log")
        @Sendable func read() -> [Substring] {
            ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
        }
        _ = await FolderWatch.until(in: directory.path) { read().count >= count }
        return read().map(String.init)
    }
}
