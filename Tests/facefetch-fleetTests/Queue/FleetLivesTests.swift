import FleetCore
import TestSupport
import TestTraits
import Testing

@testable import facefetch_fleet

/// What a fleet makes of a database that has failed over, or was restored: each with servers of its own.
@Suite(
    "The lives of a fleet",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
struct FleetLivesTests {
    private let place = DocumentPlace.local(node: "n")

    /// Claims so many jobs, and reports the first of them.
    private func work(
        _ node: FleetQueue.Node,
        _ queue: FleetQueue,
        claiming count: Int,
        reporting reported: Int
    ) throws -> [ClaimedItem] {
        let slice = ClaimPlan.Claim.slice(jobs: count, perBucket: count)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(items.count == count)
        #expect(try queue.report(Array(items.prefix(reported)), by: node).count == reported)
        return items
    }

    /// Reads all records behind a cursor, of which there are so many: transactions of PostgreSQL's own hold them up.
    private func follow(
        _ queue: FleetQueue,
        after cursor: FleetQueue.Cursor = .start,
        until count: Int
    ) throws -> [FleetQueue.Cursor] {
        var found: [FleetQueue.Cursor] = []
        for _ in 0..<200_000 where found.count < count {
            found += try queue.records(after: found.last ?? cursor).map { $0.cursor }
        }
        return found
    }

    /// Returns how many of the documents of items would be removed.
    private func removed(_ items: [ClaimedItem], _ queue: FleetQueue) throws -> Int {
        let endings = items.map { $0.ending() }
        let (recorded, superseded) = try queue.standing(of: endings, in: place)
        return ReportPlan.leftovers(of: endings, recorded: recorded, superseded: superseded, in: place).count
    }

    @Test(
        "A standby that has lost commits begins a life: it goes on with what it has, and says from where to read"
    )
    func failsOver() throws {
        let fleet = try Fleet(on: PostgresServer())
        try fleet.add(60)
        let primary = try fleet.connect()
        let node = try fleet.node("a", primary)
        let kept = try work(node, primary, claiming: 10, reporting: 5)
        let seen = try follow(primary, until: 5)
        let standby = try PostgresServer(.standby, of: fleet.server)
        let lost = try work(node, primary, claiming: 10, reporting: 10)
        let seenToo = try follow(primary, after: try #require(seen.last), until: 10)
        try fleet.server.stop()
        try standby.start()
        // As long as it only reads, it is what its primary was.
        let fleetThere = Fleet(fleet, on: standby)
        #expect(try fleetThere.connect().fleet == primary.fleet)
        try standby.promote()

        let queue = try fleetThere.connect()
        #expect(try queue.fleet != primary.fleet && fleetThere.connect().fleet == queue.fleet)
        #expect(try queue.beat(node, timing: Fleet.timing) != .isOver)
        // What it held goes on under its old marks, and what was lost stays where it is.
        let again = try fleetThere.node("a", queue)
        #expect(try queue.held(by: again) == Array(kept.suffix(5)))
        #expect(try queue.report(Array(kept.suffix(5)), by: again).count == 5)
        #expect(try removed(kept + lost, queue) == 0)
        let new = try work(again, queue, claiming: 50, reporting: 50)
        #expect(new.allSatisfy { $0.job.fleet == queue.fleet })
        // Records behind the last cursor that was seen would miss what has the lost ones' numbers.
        #expect(try queue.verdict(on: try #require(seen.last)) == .goesOn)
        guard case .beginsAgain(let cursor) = try queue.verdict(on: try #require(seenToo.last)) else {
            Issue.record("not refused")
            return
        }
        #expect(try queue.verdict(on: cursor) == .goesOn)
        let rest = try follow(queue, after: cursor, until: 55)
        #expect(Set((seen + rest).map(\.job)).count == 60 && rest.count == 55)
        #expect(try follow(queue, after: try #require(seen.last), until: 55).count == 55)
    }

    @Test(
        "A base backup begins a life by its timeline, and one that was only copied by init"
    )
    func recovers() async throws {
        let fleet = try Fleet(on: PostgresServer())
        try fleet.add(40)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let kept = try work(node, queue, claiming: 10, reporting: 5)
        let recovered = try PostgresServer(.recovered, of: fleet.server)
        let copied = try PostgresServer(.plain, of: fleet.server)
        let lost = try work(node, queue, claiming: 10, reporting: 5)
        try recovered.start()
        try copied.start()
        for copy in [recovered, copied] {
            let there = Fleet(fleet, on: copy)
            let isRecovering = "SELECT pg_is_in_recovery()::int"
            try await waitWhile { try there.number(isRecovering, there.connect()) == 1 }
            if copy === copied {
                #expect(try there.connect().fleet == queue.fleet)
                try there.migrate()
            }
            let restored = try there.connect()
            #expect(restored.fleet != queue.fleet)
            let again = try there.node("a", restored)
            #expect(try restored.held(by: again) == Array(kept.suffix(5)))
            let new = try work(again, restored, claiming: 10, reporting: 5)
            // What was claimed there is claimed here, too, and nothing of both is taken for the other.
            #expect(Set(new.map(\.job)).isDisjoint(with: lost.map(\.job)))
            #expect(Set(new.map(\.job.key)).isDisjoint(with: lost.map(\.job.key)))
            #expect(try removed(lost, restored) == 0 && removed(kept, restored) == 0)
        }
    }

    @Test("What a dump has made is refused until init has begun a life, also in the place where it was")
    func dumps() throws {
        let fleet = try Fleet(on: PostgresServer())
        try fleet.add(40)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let kept = try work(node, queue, claiming: 10, reporting: 5)
        let dump = fleet.server.directory + "/dump"
        try fleet.server.run("pg_dump", ["-Fc", "-f", dump, "-d", fleet.database])
        let lost = try work(node, queue, claiming: 10, reporting: 5)
        let cursor = try #require(try follow(queue, until: 10).last)
        try queue.connection.execute("DROP SCHEMA \(fleet.schema) CASCADE")
        try fleet.server.run("pg_restore", ["-d", fleet.database, dump])
        #expect { try fleet.connect() } throws: { ($0 as? FleetQueueError)?.kind == .restored }
        // Whoever was connected all the time claims nothing, either.
        #expect(try queue.beat(node, timing: Fleet.timing) == .isOver)
        try fleet.migrate()
        let restored = try fleet.connect()
        #expect(restored.fleet != queue.fleet)
        let again = try fleet.node("a", restored)
        #expect(try restored.held(by: again) == Array(kept.suffix(5)))
        let new = try work(again, restored, claiming: 10, reporting: 5)
        // Numbers come again, and marks and keys don't.
        #expect(new.first?.job.token == lost.first?.job.token)
        #expect(Set(new.map(\.job)).isDisjoint(with: lost.map(\.job)))
        #expect(Set(new.map(\.job.key)).isDisjoint(with: lost.map(\.job.key)))
        #expect(try removed(lost + kept, restored) == 0)
        #expect(try restored.verdict(on: cursor) == .beginsAgain(at: .start))
        #expect(try follow(restored, until: 10).count == 10)
    }

    @Test(
        "Of another fleet's documents, and those of forgotten batches, none goes; a life that is ended ends for all"
    )
    func unknown() throws {
        let (fleet, other) = (try Fleet(on: .shared()), try Fleet(on: .shared()))
        try fleet.add(10)
        try other.add(10)
        let (queue, otherQueue) = (try fleet.connect(), try other.connect())
        let node = try fleet.node("a", queue)
        let items = try work(node, queue, claiming: 10, reporting: 10)
        let others = try work(try other.node("a", otherQueue), otherQueue, claiming: 10, reporting: 10)
        #expect(items.map(\.job.token) == others.map(\.job.token))
        #expect(try removed(others, queue) == 0 && removed(items, otherQueue) == 0)
        // A node whose name is new reads them again.
        try queue.connection.execute(
            """
            UPDATE batches SET created_at = now() - interval '9 d';
            UPDATE results SET finished_at = now() - interval '8 d'
            """
        )
        #expect(try queue.forget(endedBefore: .seconds(7 * 86_400)) == 10 && removed(items, queue) == 0)
        #expect(try queue.standing(of: items.map { $0.ending() }, in: place).recorded.count == 10)
        #expect(try queue.forget(endedBefore: .seconds(7 * 86_400), wholly: true) == 0)
        #expect(try removed(items, queue) == 0)
        // A node has found that numbers come again.
        let third = try fleet.connect()
        try third.endLife()
        try third.endLife()
        #expect(try queue.beat(node, timing: Fleet.timing) == .isOver)
        let slice = ClaimPlan.Claim.slice(jobs: 1, perBucket: 1)
        #expect(try queue.claim(slice, for: node, timing: Fleet.timing) == nil)
        #expect(
            try fleet.number("SELECT count(*) FROM lives", queue) == 2 && fleet.connect().fleet != queue.fleet
        )
    }
}
