import Foundation
import Glibc
import TestSupport
import TestTraits
import Testing

@testable import facefetch_fleet

/// A fleet whose database has a standby.
@Suite(
    "A database of several servers",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class SeveralHostsTests {
    private let server: PostgresServer

    init() throws { server = try PostgresServer() }

    /// The folder of a server's socket.
    private func folder(_ server: PostgresServer) throws -> String {
        let word = try #require(server.database.split(separator: " ").first)
        return String(word.dropFirst("host=".count))
    }

    private func ask(_ queue: PostgresConnection) throws -> String? {
        try queue.run([Call(Statement(name: "who", sql: "SHOW unix_socket_directories"))])[0].first?.text(0)
    }

    @Test("A database that isn't there is told from one that can't be reached, also of several servers")
    func missing() throws {
        let good = try folder(server)
        func failure(_ hosts: String) -> FleetQueueError? {
            do throws(FleetQueueError) {
                _ = try PostgresConnection("host=\(hosts) user=fleet dbname=nope", patience: .seconds(20))
                return nil
            } catch { return error }
        }
        for hosts in [good, "\(good),\(good)"] {
            let error = failure(hosts)
            #expect(error?.kind == .refused(code: "3D000"))
            #expect(
                error?.description.hasSuffix(#"FATAL:  database "nope" does not exist"#) == true,
                "\(error as Any)"
            )
        }
        #expect(
            failure("\(good),/tmp/nowhere")?.kind == .unreachable
                && failure("/tmp/nowhere")?.kind == .unreachable
        )
    }

    @Test("A server that takes connections and never answers doesn't keep the next from being asked")
    func frozen() throws {
        let silent = "/tmp/ff-silent-\(UInt32.random(in: 0 ... .max))"
        try #require(mkdir(silent, 0o755) == 0)
        defer { try? FileManager.default.removeItem(atPath: silent) }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(silent)/.s.PGSQL.5432".utf8) }
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listener, 8) == 0)
        let good = try folder(server)
        let both = "host=\(silent),\(good) user=fleet dbname=postgres"
        #expect(try ask(PostgresConnection(both, patience: .seconds(2))) == good)
        #expect(throws: FleetQueueError.self) {
            try PostgresConnection(
                "host=\(silent),\(silent) user=fleet dbname=postgres",
                patience: .seconds(1)
            )
        }
        // Who has much time for what is done needn't have it for each server: this ends long before that is over.
        let begin = ContinuousClock.now
        let (long, short) = (Duration.seconds(1200), Duration.seconds(1))
        #expect(try ask(PostgresConnection(both, patience: long, perHost: short)) == good)
        #expect(throws: FleetQueueError.self) {
            try PostgresConnection("host=\(silent) user=fleet", patience: long, perHost: short)
        }
        #expect(ContinuousClock.now - begin < long / 4)
    }

    @Test("A server that only reads is passed over, unless it is asked for")
    func readOnly() async throws {
        let standby = try PostgresServer()
        let master = try PostgresConnection(standby.database, patience: .seconds(20))
        for sql in ["ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()"] {
            try master.execute(sql)
        }
        // The servers take that in when they are told, which is soon.
        let isReadOnly = Statement(name: "ro", sql: "SHOW default_transaction_read_only")
        try await waitWhile { try master.run([Call(isReadOnly)])[0].first?.text(0) != "on" }
        let (first, second) = (try folder(standby), try folder(server))
        let both = "host=\(first),\(second) user=fleet dbname=postgres"
        #expect(try ask(PostgresConnection(both, patience: .seconds(20))) == second)
        let read = both + " target_session_attrs=read-only"
        #expect(try ask(PostgresConnection(read, patience: .seconds(20))) == first)
    }
}
