import FleetCore
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import facefetch_fleet

/// Tests of a fleet that is held as a whole.
@Suite(
    "A fleet that is held",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetHoldingTests {
    private let fleet: Fleet
    private let queue: FleetQueue
    private let few = ClaimPlan.Claim.slice(jobs: 5, perBucket: 5)

    init() throws {
        fleet = try Fleet(on: .shared())
        queue = try fleet.connect()
    }

    @Test("Nobody claims anything, whatever is added; what nodes held waits again, and nobody is blamed")
    func holds() throws {
        try fleet.add(20)
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(few, for: node, timing: Fleet.timing))
        let other = try fleet.connect()
        #expect(try other.hold(because: "a move") == 5 && other.hold(because: "a storm") == 0)
        // Who has no other reason leaves the one that there is.
        #expect(try other.hold() == 0)
        #expect(try queue.withdrawn(of: items.map(\.job)).count == 5)
        try fleet.add(3)
        #expect(try queue.claim(few, for: node, timing: Fleet.timing) == [])
        try queue.connection.execute("UPDATE queue SET takeovers = 3 WHERE job = 1")
        let suspects = ClaimPlan.Claim.suspects(blame: 3, jobs: 5)
        #expect(try queue.claim(suspects, for: node, timing: Fleet.timing) == [])
        let status = try queue.status()
        #expect(
            status.heldBecause == "a storm" && status.heldSince?.hasSuffix("Z") == true && status.queue == 23
        )
        #expect(try queue.report(items, by: node).isEmpty)
        #expect(try other.release() && !other.release() && queue.status().heldSince == nil)
        let all = ClaimPlan.Claim.slice(jobs: 100, perBucket: 100)
        let again = try #require(try queue.claim(all, for: node, timing: Fleet.timing))
        #expect(again.count == 22 && again.allSatisfy { $0.takeovers == 0 })
        #expect(try queue.claim(suspects, for: node, timing: Fleet.timing)?.count == 1)
    }

    @Test("Nodes finish what they hold if that is wanted")
    func finishes() throws {
        try fleet.add(20)
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(few, for: node, timing: Fleet.timing))
        #expect(try queue.hold(finishes: true) == 0 && queue.withdrawn(of: items.map(\.job)).isEmpty)
        #expect(try queue.report(items, by: node).count == 5)
        #expect(try queue.claim(few, for: node, timing: Fleet.timing) == [])
    }

    @Test("A claim that has begun before is waited for, and what it has is given up, too")
    func waits() async throws {
        try fleet.add(20)
        let node = try fleet.node("a", queue)
        try queue.connection.execute("BEGIN")
        #expect(try queue.claim(few, for: node, timing: Fleet.timing)?.count == 5)
        let held = Self.holding(fleet)
        let waiting = """
            SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
            """
        try await waitWhile { try fleet.number(waiting, queue) == 0 }
        try queue.connection.execute("COMMIT")
        #expect(try await held.value == 5)
    }

    /// Holds a fleet on a thread of its own.
    private static func holding(_ fleet: Fleet) -> Task<Int?, any Error> {
        let (counts, tell) = AsyncThrowingStream<Int?, any Error>.makeStream()
        Thread.detachNewThread {
            do { tell.yield(try fleet.connect().hold()) } catch { tell.finish(throwing: error) }
        }
        return Task { try await counts.first { _ in true } ?? nil }
    }
}
