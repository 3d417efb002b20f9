import ControlAPI
import Foundation
import TestSupport
import TestTraits
import Testing

/// The real daemon, when libcurl stops reading a connection with many requests although more has come over it.
///
/// Skipped where nginx or openssl isn't installed.
@Suite(
    .serialized,
    .timeLimit(.minutes(3)),
    .enabled(if: NginxServer.executable != nil && TestCertificate.isPossible),
    .enabled(if: DeafSockets.isThere, Comment(rawValue: DeafSockets.comment))
)
struct UnreadConnectionTests {
    private let installation: Installation
    private let certificate: TestCertificate
    private let count = 100

    init() throws {
        installation = try Installation()
        certificate = try TestCertificate()
    }

    private func add(_ urls: [String]) async throws -> Program.Result {
        let list = try installation.directory.write(
            Array(urls.joined(separator: "\n").utf8),
            to: "list.txt"
        )
        return try await installation.facefetch("add", "--from", list, "--wait", "--json")
    }

    /// What the daemon meets.
    struct Case: Sendable {
        var connections = 1
        /// The length of each file; of long ones, an answer is under way.
        var length = 3000
        /// What nginx does otherwise.
        var directive = ""
    }

    @Test(
        "All files come over others, and no try counts",
        arguments: [
            Case(), Case(connections: 2, length: 100_000),
            // All of this lies there unread when nginx closes the connection.
            Case(directive: "keepalive_requests 40;"),
        ]
    )
    func stopped(_ met: Case) async throws {
        func bytes(_ number: Int) -> [UInt8] {
            OriginContent.bytes(seed: UInt64(number), count: met.length)
        }
        let server = try NginxServer.start(
            server: met.directive,
            certificate: (certificate.file, certificate.key)
        )
        defer { server.stop() }
        for number in 0...count { try server.serve(bytes(number), at: "\(number).jpg") }
        var environment = DeafSockets.environment(
            port: server.port,
            afterBytes: 20 * met.length + met.length / 2,
            connections: met.connections
        )
        environment.merge([
            "FACEFETCH_TRANSFER_CA_FILE": certificate.file, "FACEFETCH_DETECTION_WHEN": "never",
            "FACEFETCH_DISK_RESERVE": "0", "FACEFETCH_LOG_LEVEL": "debug",
            // Whatever counts as a try fails, and nothing else may end what nobody reads.
            "FACEFETCH_TRANSFER_TRIES": "1", "FACEFETCH_TRANSFER_STALL_TIME": "1 h",
            "FACEFETCH_TRANSFER_CONNECT_TIMEOUT": "10 min",
        ]) { $1 }
        let daemon = try await installation.startDaemon(environment: environment)
        // It is known how the host answers before many are asked for.
        let first = try await add([server.url("/0.jpg")])
        #expect(first.status == 0, "\(first.errors)")
        let added = try await add((1...count).map { server.url("/\($0).jpg") })
        #expect(added.status == 0, "\(added.errors)")
        let jobs = try installation.jobs(added)
        #expect(jobs.count == count && jobs.allSatisfy { $0.state == .known(.done) })
        for number in 0...count { #expect(try installation.document("\(number).jpg") == bytes(number)) }
        #expect(await daemon.stop() == 0)
        let words = "a connection is given up that libcurl has stopped reading"
        let log = await daemon.errorOutput()
        #expect(log.contains(words))
        let told = try installation.eventLog().filter { $0.contains("waiting") }
        #expect(told.isEmpty, "\(told)")
    }
}
