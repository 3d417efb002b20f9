import ControlAPI
import ControlServer
import FoundationEssentials
import Glibc
import JobModel
import Logging
import TestSupport

/// A server on a socket of its own, with an engine of its own.
struct RunningServer: Sendable {
    let engine: RunningEngine
    let path: String

    /// A client with a new connection.
    func client() throws -> HTTPClient { try HTTPClient(path: path) }

    /// Sends one request over a new connection.
    func send(
        _ method: String,
        _ target: String,
        _ body: String? = nil,
        fields: [String: String] = [:]
    ) async throws -> HTTPClient.Response {
        var client = try client()
        return try await client.send(method, target, body, fields: fields)
    }

    /// A job as it is shown.
    func job(_ id: Int64) async throws -> JobJSON { try await send("GET", "/v1/jobs/\(id)").decoded() }

    /// Returns the number of jobs.
    func jobCount() async throws -> Int {
        let page: PageJSON<JobJSON> = try await send("GET", "/v1/jobs").decoded()
        return page.total ?? 0
    }

    /// Adds a batch of so many files.
    func addFiles(_ count: Int) async throws {
        let items = (1...count).map { "{\"url\":\"http://example.org/\($0).jpg\"}" }.joined(separator: ",")
        _ = try await send("POST", "/v1/batches", "{\"items\":[\(items)]}")
    }
}

/// The limits of servers under test.
func testConfiguration() -> ControlServerConfiguration { ControlServerConfiguration(version: "1.2.3") }

/// Runs a server for as long as a test needs it, and stops it in the end.
func withServer(
    _ configuration: ControlServerConfiguration = testConfiguration(),
    engine: RunningEngine? = nil,
    _ body: @Sendable (RunningServer) async throws -> Void
) async throws {
    try await withTemporaryDirectory { directory in
        let path = directory + "/control.sock"
        try await serve(on: try ControlSocket.bind(path: path), configuration, engine: engine) {
            try await body(RunningServer(engine: $0, path: path))
        }
    }
}

/// Serves on a socket while something else is done.
func serve(
    on socket: ControlSocket,
    _ configuration: ControlServerConfiguration,
    engine: RunningEngine? = nil,
    _ body: @Sendable (RunningEngine) async throws -> Void
) async throws {
    let engine = if let engine { engine } else { try await RunningEngine() }
    let server = ControlServer(
        configuration: configuration,
        control: engine.engine,
        queries: engine.queries,
        now: { engine.now.adding(seconds: 5) },
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let (ready, isReady) = AsyncStream<Void>.makeStream()
    let running = Task { try await server.run(on: socket) { isReady.finish() } }
    for await _ in ready {}
    do {
        try await body(engine)
    } catch {
        running.cancel()
        _ = try? await running.value
        await engine.engine.stop()
        throw error
    }
    running.cancel()
    try await running.value
    await engine.engine.stop()
}

/// Makes a directory for a test, and removes it in the end.
func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
    // Short: a socket's path has at most 107 bytes.
    let path = "/tmp/ff-\(UInt64.random(in: 0...UInt64.max).description)"
    guard mkdir(path, 0o700) == 0 else { throw UnixConnection.failure("mkdir") }
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
}
