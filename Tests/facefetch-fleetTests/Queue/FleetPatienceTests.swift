import Foundation
import Glibc
import TestSupport
import TestTraits
import Testing

@testable import facefetch_fleet

/// Tests of how long the database works for somebody.
@Suite(
    "The database's patience",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetPatienceTests {
    private let fleet: Fleet
    private let queue: FleetQueue

    init() throws {
        fleet = try Fleet(on: .shared())
        queue = try fleet.connect()
    }

    @Test("Each statement has as long as whoever asks waits for it, whatever they have asked for before")
    func limits() throws {
        let limit = "SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout'"
        let all = JobSelection()
        let asked: [(String, (FleetQueue) throws -> Void)] = [
            ("add", { [fleet] in _ = try fleet.add([FleetQueue.NewItem(url: "http://h.example/1")], $0) }),
            ("steer", { _ = try $0.steer(.pause, all) }), ("count", { _ = try $0.count(.resume, all) }),
            ("status", { _ = try $0.status(hosts: 5, work: true) }),
            ("batches", { _ = try $0.batches(latest: 5) }),
            ("find", { _ = try $0.documents(url: "http://h.example/1") }),
            ("forget", { _ = try $0.forget(endedBefore: .seconds(86_400)) }),
        ]
        for (name, ask) in asked {
            try ask(queue)
            #expect(try fleet.number(limit, queue) == 20_000, "\(name)")
        }
    }

    @Test("What somebody has asked for ends when they are gone")
    func gone() async throws {
        let working = """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                AND state = 'active' AND query LIKE '%pg_sleep(3600)%'
            """
        let sockets = Self.asking(fleet)
        let socket = try #require(try await sockets.first { _ in true })
        try await waitWhile { try fleet.number(working, queue) == 0 }
        shutdown(socket, Int32(SHUT_RDWR))
        try await waitWhile { try fleet.number(working, queue) > 0 }
    }

    /// Asks for something that takes an hour, on a thread of its own, and tells the connection's socket.
    private static func asking(_ fleet: Fleet) -> AsyncThrowingStream<Int32, any Error> {
        let (sockets, tell) = AsyncThrowingStream<Int32, any Error>.makeStream()
        Thread.detachNewThread {
            do {
                let patient = try FleetQueue(fleet.database, schema: fleet.schema, patience: .seconds(3600))
                tell.yield(patient.socket)
                try patient.connection.execute("SELECT pg_sleep(3600)")
            } catch { tell.finish(throwing: error) }
        }
        return sockets
    }
}
