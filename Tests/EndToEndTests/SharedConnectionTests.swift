import ControlAPI
import Foundation
import TestSupport
import Testing

/// The real daemon and hosts that answer many requests over one connection.
///
/// Skipped where nginx, openssl or Python isn't installed.
@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(
        if: NginxServer.executable != nil && TestCertificate.isPossible && StreamServer.executable != nil
    )
)
struct SharedConnectionTests {
    private let installation: Installation
    private let certificate: TestCertificate

    init() throws {
        installation = try Installation()
        certificate = try TestCertificate()
    }

    private func start(_ more: [String: String] = [:]) async throws -> Program {
        let settings = [
            "FACEFETCH_TRANSFER_CA_FILE": certificate.file, "FACEFETCH_DETECTION_WHEN": "never",
            "FACEFETCH_DISK_RESERVE": "0",
        ]
        return try await installation.startDaemon(environment: settings.merging(more) { $1 })
    }

    private func add(_ urls: [String], _ options: String...) async throws -> Program.Result {
        let list = try installation.directory.write(
            Array(urls.joined(separator: "\n").utf8),
            to: "list.txt"
        )
        return try await Program.run(
            "facefetch",
            ["add", "--from", list] + options,
            environment: ["FACEFETCH_SOCKET": installation.socket]
        )
    }

    @Test(
        "More small files come at once than there may be connections, over one of them, and the host is shown so"
    )
    func many() async throws {
        var manners = StreamServer.Manners()
        // By then it is known how the host answers.
        (manners.limit, manners.gate, manners.awaited) = (100, 150, 12)
        let server = try StreamServer(certificate: (certificate.file, certificate.key), manners)
        defer { server.stop() }
        let daemon = try await start()
        let added = try await add((0..<300).map { server.url("/\($0).png") }, "--wait")
        #expect(added.status == 0, "\(added.errors)")
        #expect(await daemon.stop() == 0)
        let counts = try server.counts()
        #expect(counts.answers == 300 && counts.requests == 300, "\(counts)")
        #expect(counts.widest > 6 && counts.widest <= 32, "\(counts)")
        #expect(counts.connections <= 6, "\(counts)")
    }

    @Test("With streams turned off, no more are asked for at once than before")
    func off() async throws {
        var manners = StreamServer.Manners()
        manners.limit = 100
        let server = try StreamServer(certificate: (certificate.file, certificate.key), manners)
        defer { server.stop() }
        let daemon = try await start(["FACEFETCH_TRANSFER_STREAMS": "1"])
        let added = try await add((0..<100).map { server.url("/\($0).png") }, "--wait")
        #expect(added.status == 0, "\(added.errors)")
        #expect(await daemon.stop() == 0)
        #expect(try server.counts().widest <= 6)
    }

    @Test(
        "Whatever a server limits, all files come, without a counted try, over no more connections than there may be",
        arguments: ["http2_max_concurrent_streams 1;", "keepalive_requests 7;", "keepalive_requests 1;", ""]
    )
    func nginx(directive: String) async throws {
        let server = try NginxServer.start(
            server: directive,
            certificate: (certificate.file, certificate.key)
        )
        defer { server.stop() }
        let daemon = try await start()
        for number in 0..<200 {
            try server.serve(OriginContent.bytes(seed: UInt64(number), count: 3000), at: "\(number).jpg")
        }
        let added = try await add((0..<200).map { server.url("/\($0).jpg") }, "--wait", "--json")
        #expect(added.status == 0, "\(added.errors)")
        let jobs = try installation.jobs(added)
        #expect(jobs.count == 200 && jobs.allSatisfy { $0.attempts == 1 }, "\(jobs.map(\.attempts))")
        for number in [0, 57, 199] {
            #expect(
                try installation.document("\(number).jpg")
                    == OriginContent.bytes(seed: UInt64(number), count: 3000)
            )
        }
        #expect(await daemon.stop() == 0)
        server.stop()
        let answers = try server.answers().filter { $0[2] == "200" }
        #expect(answers.count >= 200)
        // One may take the place of another, which has been closed.
        #expect(try server.mostConnections() <= 6)
    }

    /// A way in which a server doesn't mean well.
    enum Unkindness: CaseIterable, Sendable {
        case oneStream, farewells, noWindow, settings, refusals, resets, closing

        var manners: StreamServer.Manners {
            var manners = StreamServer.Manners()
            manners.limit = self == .oneStream ? 1 : 100
            switch self {
            case .oneStream: break
            case .farewells: manners.farewell = 1
            case .noWindow: manners.givesNoWindow = true
            case .settings: manners.settings = 20
            case .refusals: manners.refused = 20
            case .resets: manners.reset = 6
            case .closing: manners.closed = 1
            }
            return manners
        }
    }

    @Test("A server that doesn't mean well costs no file a counted try", arguments: Unkindness.allCases)
    func unkind(_ way: Unkindness) async throws {
        let server = try StreamServer(certificate: (certificate.file, certificate.key), way.manners)
        defer { server.stop() }
        let daemon = try await start()
        // It is known how the host answers before many are asked for.
        let first = try await add([server.url("/first.png")], "--wait")
        #expect(first.status == 0, "\(first.errors)")
        let added = try await add((0..<60).map { server.url("/\($0).png") }, "--wait", "--json")
        #expect(added.status == 0, "\(added.errors)")
        let jobs = try installation.jobs(added)
        #expect(jobs.count == 60 && jobs.allSatisfy { $0.attempts == 1 }, "\(jobs.map(\.attempts))")
        #expect(await daemon.stop() == 0)
    }
}
