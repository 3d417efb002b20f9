import FleetCore
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import facefetch_fleet

/// People who do something to a fleet at the same time.
@Suite(
    "Several operators of a fleet",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetTogetherTests {
    private let fleet: Fleet

    init() throws { fleet = try Fleet(on: .shared()) }

    /// Does something on a thread and a connection of its own, up to where it waits for a connection.
    private func apart<Value: Sendable>(
        until blocker: FleetQueue,
        _ body: @escaping @Sendable (FleetQueue) throws -> Value
    ) async throws -> Task<Value?, any Error> {
        let (values, tell) = AsyncThrowingStream<Value, any Error>.makeStream()
        let fleet = fleet
        Thread.detachNewThread {
            do { tell.yield(try body(try fleet.connect())) } catch { tell.finish(throwing: error) }
        }
        let waits = """
            SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
            """
        try await waitWhile { try fleet.number(waits, blocker) == 0 }
        return Task { try await values.first { _ in true } }
    }

    @Test("Who adds with --skip-known waits for others who do, and then knows their items")
    func addsTogether() async throws {
        let first = try fleet.connect()
        try first.connection.execute("\(OverseerStatements.incoming); BEGIN; \(OverseerStatements.dropKnown)")
        _ = try fleet.number(#"SELECT add(NULL, NULL, '[{"url":"http://h.example/"}]')"#, first)
        let fleet = fleet
        let second = try await apart(until: first) { queue in
            try fleet.add([FleetQueue.NewItem(url: "http://h.example/")], queue, skipsKnown: true)
        }
        try first.connection.execute("COMMIT")
        #expect(try await second.value == .nothing)
        #expect(try fleet.number("SELECT count(*) FROM items", first) == 1)
    }

    @Test("What is tried again is not forgotten by somebody who saw it as it had ended")
    func forgetsTogether() async throws {
        let batch = try fleet.add(5)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let claim = ClaimPlan.Claim.slice(jobs: 5, perBucket: 5)
        let items = try #require(try queue.claim(claim, for: node, timing: Fleet.timing))
        _ = try queue.report(items, .failed, by: node)
        try queue.connection.execute(
            "UPDATE batches SET created_at = now() - interval '9 d'; UPDATE results SET finished_at = now() - interval '8 d'"
        )
        try queue.connection.execute("BEGIN")
        #expect(try queue.retry(batch: batch, onlyFailed: true)?.queued == 5)
        let forgotten = try await apart(until: queue) { try $0.forget(endedBefore: .seconds(7 * 86_400)) }
        try queue.connection.execute("COMMIT")
        #expect(try await forgotten.value == 0)
        #expect(try fleet.number("SELECT count(*) FROM queue JOIN items USING (job)", queue) == 5)
    }

    @Test("An export that nobody goes on from has all that has ended, whatever is in progress")
    func exportsAll() throws {
        try fleet.add(3)
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        try other.connection.execute("BEGIN; SELECT pg_current_xact_id()")
        let node = try fleet.node("a", queue)
        let claim = ClaimPlan.Claim.slice(jobs: 3, perBucket: 3)
        let items = try #require(try queue.claim(claim, for: node, timing: Fleet.timing))
        _ = try queue.report(items, by: node)
        #expect(try queue.records(after: .start, as: .job).isEmpty)
        let jobs = try queue.records(after: .start, as: .job, isLast: true).map { $0.cursor.job }
        #expect(Set(jobs) == Set(items.map(\.job.job)))
    }

    @Test("Equal URLs and documents by the thousand make nothing slower, and are found by an index")
    func equals() throws {
        let queue = try fleet.connect()
        // In an index of kind hash, each equal value is put behind all others.
        let hashes = "SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema() AND indexdef LIKE "
        #expect(try fleet.number(hashes + "'%USING hash%'", queue) == 0)
        let long = "http://h.example/" + String(repeating: "é", count: 4000)
        #expect(try fleet.add([FleetQueue.NewItem(url: long)], queue) == .new(1))
        #expect(try fleet.add([FleetQueue.NewItem(url: long)], queue, skipsKnown: true) == .nothing)
        try queue.connection.execute(
            """
            INSERT INTO items (job, batch, bucket, url)
                SELECT n, 1, 1, 'http://h.example/' || n % 10000 FROM generate_series(100, 50000) AS n; ANALYZE items
            """
        )
        let explain = Statement(name: "explain find", sql: "EXPLAIN " + BatchStatements.findURL.sql)
        let plan = try queue.connection.run([Call(explain, ["http://h.example/7"])])[0].map {
            $0.text(0) ?? ""
        }
        #expect(plan.contains { $0.contains("items_by_url") }, "\(plan)")
    }
}
