import ControlAPI
import Foundation
import TestSupport

/// A daemon's directories, for as many daemons after each other as a test needs.
struct Installation {
    let directory: TemporaryDirectory
    /// The directory of the socket, whose path has to be short.
    private let socketDirectory: TemporaryDirectory

    init(in parent: String? = nil) throws {
        directory = try TemporaryDirectory(in: parent)
        socketDirectory = parent == nil ? directory : try TemporaryDirectory()
    }

    var socket: String { socketDirectory.path("control.sock") }
    var documents: String { directory.path("documents") }
    var partials: String { directory.path("state/partial") }
    var cache: String { directory.path("cache") }

    /// The flags that keep a daemon inside.
    var flags: [String] {
        [
            "--state-dir", directory.path("state"), "--documents-dir", documents, "--socket", socket,
            "--event-log", directory.path("events.log"),
        ]
    }

    /// Starts a daemon and waits until it is ready.
    func startDaemon(
        flags more: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> Program {
        // No network for yunet is found but those that a test puts there.
        let own = ["CACHE_DIRECTORY": cache, "XDG_DATA_HOME": directory.path("data")]
        let daemon = try Program(
            "facefetchd",
            flags + more,
            environment: own.merging(environment) { _, given in given }
        )
        guard await daemon.errorLine(containing: "ready:") != nil else {
            throw NotReady(status: await daemon.status, errors: daemon.heardErrors)
        }
        return daemon
    }

    /// Runs the client to its end.
    func facefetch(_ arguments: String...) async throws -> Program.Result {
        try await Program.run(
            "facefetch",
            arguments,
            environment: ["FACEFETCH_SOCKET": socket, "XDG_STATE_HOME": directory.path("client")]
        )
    }

    /// Follows the events from the oldest kept on.
    func follow() throws -> Program {
        try Program("facefetch", ["log", "-f", "-n", "1000000"], environment: ["FACEFETCH_SOCKET": socket])
    }

    /// The jobs that a client's `--json` printed.
    func jobs(_ result: Program.Result) throws -> [JobJSON] {
        try result.lines.map { try JSONDecoder().decode(JobJSON.self, from: Data($0.utf8)) }
    }

    /// The lines of the event log's file.
    func eventLog() throws -> [String] {
        try String(decoding: directory.read("events.log"), as: UTF8.self).split(separator: "\n").map(
            String.init
        )
    }

    /// Waits for a line of the event log with this end, since a daemon writes it while other things go on.
    func logs(_ words: String) async -> Bool {
        await FolderWatch.until(in: directory.path) {
            (try? eventLog())?.contains { $0.hasSuffix(words) } == true
        }
    }

    /// A document's bytes.
    func document(_ name: String) throws -> [UInt8] { try directory.read("documents/" + name) }

    struct NotReady: Error {
        var status: Int32
        var errors: [String]
    }
}

extension Program {
    /// Ends a daemon as a service manager would, and says its status.
    func stop() async -> Int32 {
        signal(SIGTERM)
        return await status
    }
}
