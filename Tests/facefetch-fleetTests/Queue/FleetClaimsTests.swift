import FleetCore
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import facefetch_fleet

/// Claims by a node that hears of what is queued, as agents do, on a real PostgreSQL.
@Suite(
    "Where claims begin",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetClaimsTests {
    private let fleet: Fleet
    private let queue: FleetQueue
    private let node: FleetQueue.Node

    init() throws {
        // Others' snapshots would keep what has ended.
        fleet = try Fleet(on: .secluded())
        queue = try fleet.connect()
        try queue.listen()
        node = try fleet.node("a", queue)
    }

    private func claim(_ jobs: Int = 200, perBucket: Int? = nil) throws -> [ClaimedItem] {
        let claim = ClaimPlan.Claim.slice(jobs: jobs, perBucket: perBucket ?? jobs)
        return try #require(try queue.claim(claim, for: node, timing: Fleet.timing))
    }

    /// What a node does until nothing is left, slice by slice; returns the jobs in the order in which they were claimed.
    private func claimAll(_ jobs: Int = 200) throws -> [Int64] {
        var all: [Int64] = []
        while true {
            let items = try claim(jobs)
            if items.isEmpty { return all }
            all += items.map(\.job.job)
            #expect(try queue.report(items, by: node).count == items.count)
        }
    }

    /// Does something, and waits until the node has heard of it.
    @discardableResult
    private func heard<Value>(_ change: () throws -> Value) throws -> Value {
        _ = try queue.hasNews()
        let value = try change()
        while try !queue.hasNews() {}
        return value
    }

    /// The plan of a call, with what it has read.
    private func explained(_ call: Call) throws -> [String] {
        let words = "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) "
        let explain = Statement(name: "explain \(call.statement.name)", sql: words + call.statement.sql)
        return try queue.connection.run([Call(explain, call.values)])[0].map { $0.text(0) ?? "" }
    }

    /// The pages that a call reads, which is undone.
    private func pages(_ call: Call) throws -> Int {
        try queue.connection.execute("BEGIN")
        let line = try explained(call).first { $0.contains("Buffers: shared") } ?? ""
        try queue.connection.execute("ROLLBACK")
        return line.matches(of: #/(?:hit|read)=(\d+)/#).reduce(0) { $0 + (Int($1.1) ?? 0) }
    }

    /// The pages that a look and a claim of 200 jobs read.
    private func pages() throws -> (look: Int, claim: Int) {
        let look = try pages(FleetQueue.look(queue.heads.places, node))
        try queue.look(node)
        let reach = queue.heads.reach(perBucket: 200, less: [:])
        return (look, try pages(FleetQueue.call(reach, jobs: 200, node)))
    }

    /// Queues so many jobs on 20 hosts, without more of them than a queue takes.
    private func fill(_ range: ClosedRange<Int>) throws {
        try queue.connection.execute(
            """
            INSERT INTO items (job, batch, bucket, url) SELECT n, 1, n % 20, 'http://h' || n % 20 || '/' || n
                FROM generate_series(\(range.lowerBound), \(range.upperBound)) AS n;
            WITH new AS (INSERT INTO queue (job, bucket, turn) SELECT job, bucket, turn(priority, 1) FROM items
                WHERE job BETWEEN \(range.lowerBound) AND \(range.upperBound) RETURNING job, turn)
            SELECT count(*), \(FleetSchema.announcement) FROM new
            """
        )
    }

    @Test("While somebody holds a snapshot, claims read as much behind 60,000 endings as behind 3,000")
    func isFlat() throws {
        let reader = try fleet.connect()
        try reader.connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM queue")
        // As what nodes have recorded, and it can't go from the tables.
        try fill(1...4000)
        try queue.connection.execute("DELETE FROM queue WHERE job <= 3000")
        _ = try claim(20)
        let before = try pages()
        try fill(4001...61_000)
        try queue.connection.execute("DELETE FROM queue WHERE job <= 60000")
        #expect(try claim(20).allSatisfy { $0.job.job > 60_000 })
        // As nodes do once a second: what it steps over, the next one doesn't.
        try queue.look(node)
        let after = try pages()
        #expect(
            after.claim < before.claim * 2 && after.look < before.look * 2 + 20,
            "\(before), then \(after)"
        )
        // It is the places that do it.
        let reach = QueueHeads.Reach(
            buckets: (0..<20).map { .init(bucket: $0, epoch: 1, room: 200, heads: [.init(turn: 0, job: 0)]) }
        )
        let all = try pages(FleetQueue.call(reach, jobs: 200, node))
        #expect(all > after.claim * 3, "\(all), and \(after)")
        try reader.connection.execute("COMMIT")
    }

    @Test("Claiming costs the same however many jobs wait, also before PostgreSQL has looked at them")
    func goesByTheIndex() throws {
        try fill(1...5000)
        _ = try claim(20)
        for isAnalyzed in [false, true] {
            if isAnalyzed { try queue.connection.execute("ANALYZE queue") }
            let reach = queue.heads.reach(perBucket: 2, less: [:])
            for call in [FleetQueue.call(reach, jobs: 1000, node), FleetQueue.look(queue.heads.places, node)]
            {
                let sql = "EXPLAIN " + call.statement.sql
                let explain = Statement(name: "plan \(call.statement.name) \(isAnalyzed)", sql: sql)
                let plan = try queue.connection.run([Call(explain, call.values)])[0].map { $0.text(0) ?? "" }
                #expect(plan.contains { $0.contains("using queue_next") }, "\(plan)")
                #expect(!plan.contains { $0.contains("Sort Key: queue") || $0.contains("Bitmap") }, "\(plan)")
                #expect(!plan.contains { $0.contains("using queue_job") }, "\(plan)")
            }
        }
    }

    @Test(
        "Jobs that come before the places where others wait are found: urgent, late, tried again, resumed, given back"
    )
    func findsWhatComesBefore() throws {
        let batch = try fleet.add(100)
        #expect(try claimAll().count == 100)
        // Their numbers were taken before those of others that were claimed meanwhile.
        let slow = try fleet.connect()
        try slow.connection.execute("BEGIN")
        _ = try fleet.number(#"SELECT add(NULL, NULL, '[{"url":"http://late.example/"}]')"#, slow)
        try fleet.add(50)
        #expect(try claimAll().count == 50)
        try heard { try slow.connection.execute("COMMIT") }
        #expect(try claimAll().count == 1)
        let urgent = #"SELECT add(NULL, NULL, '[{"url":"http://host1.example/u","priority":9}]')"#
        try fleet.add(200, hosts: 2)
        #expect(try claim(10, perBucket: 5).count == 10)
        try heard { try fleet.number(urgent, slow) }
        #expect(try claim(4, perBucket: 2).map(\.priority).sorted() == [0, 0, 0, 9])
        #expect(try claimAll().count == 187)
        _ = try queue.report(
            ReportPlan(queue.held(by: node).map { $0.ending() }, in: .local(node: "a")),
            through: 7,
            by: node
        )
        #expect(try fleet.number("SELECT count(*) FROM queue", queue) == 0)
        try slow.connection.execute("UPDATE results SET state = 2 WHERE batch = \(batch)")
        let retried = try heard { try slow.retry(batch: batch, onlyFailed: true)?.queued }
        #expect(retried == 100)
        let again = try claim(40)
        #expect(again.count == 40)
        #expect(try slow.steer(.pause, batch: batch) == 100 && claim().isEmpty)
        let waiting = try heard { try slow.steer(.resume, batch: batch) }
        #expect(waiting == 100)
        let resumed = try claim(40)
        let back = ReportPlan(resumed.map { $0.ending(.cancelled) }, in: .local(node: "a")) { _ in true }
        _ = try queue.report(back, through: 7, by: node)
        #expect(try Set(claimAll()).isSuperset(of: resumed.map(\.job.job)))
        #expect(try fleet.number("SELECT count(*) FROM queue", queue) == 0)
    }

    @Test("What goes back to wait for a while is found when its time has come, and holds up nobody's place")
    func waits() throws {
        try fleet.add(300, hosts: 1)
        let first = try claim(10)
        try queue.wait(Dictionary(uniqueKeysWithValues: first.map { ($0.job, 600.0) }))
        let back = ReportPlan(first.map { $0.ending(.cancelled) }, in: .local(node: "a")) { _ in true }
        _ = try queue.report(back, through: 7, by: node)
        #expect(try claimAll().count == 290)
        try queue.connection.execute("UPDATE queue SET not_before = now()")
        #expect(try Set(claimAll()) == Set(first.map(\.job.job)))
    }

    @Test("Buckets that come back have been others' meanwhile, and are looked at from their beginnings")
    func changesHands() throws {
        try fleet.add(400)
        #expect(try claim(100).count == 100)
        let other = try fleet.connect()
        let second = try fleet.node("b", other)
        _ = try queue.report(queue.held(by: node), by: node)
        try fleet.share(node, queue)
        try fleet.share(second, other)
        let theirs = try #require(
            try other.claim(.slice(jobs: 400, perBucket: 400), for: second, timing: Fleet.timing)
        )
        #expect(try !theirs.isEmpty && claim(400).count == 300 - theirs.count)
        try other.leave(second)
        try fleet.share(node, queue)
        #expect(try Set(claim(400).map(\.job.job)) == Set(theirs.map(\.job.job)))
    }

    @Test(
        "Of a host with twenty thousand jobs of one batch, the one of another is claimed next, and both go on by turns"
    )
    func turns() throws {
        try fleet.add(20_000, hosts: 1)
        let held = try claim(1000)
        let bucket = try #require(held.first?.bucket)
        let one = try fleet.add(1, hosts: 1)
        let more = try queue.claim(
            .topUp(jobs: 1000, perBucket: 2),
            holding: [bucket: held.count],
            newOf: [bucket],
            for: node,
            timing: Fleet.timing
        )
        #expect(try more?.count == 1 && queue.has(one))
        let second = try fleet.add(5000, hosts: 1)
        var counts: [Bool: Int] = [:]
        for _ in 0..<8 {
            for item in try claim(500) {
                let isSecond = "SELECT (batch = \(second))::int FROM items WHERE job = \(item.job.job)"
                counts[try fleet.number(isSecond, queue) == 1, default: 0] += 1
            }
        }
        #expect(counts[true, default: 0] >= 1000 && counts[false, default: 0] >= 1000, "\(counts)")
    }

    @Test("What was queued by hand, without a word, is found before long")
    func findsWhatNobodyTold() throws {
        try fleet.add(20)
        #expect(try claimAll().count == 20)
        try queue.connection.execute(
            "INSERT INTO items (job, batch, bucket, url) VALUES (-1, 1, 3, 'http://a/');"
                + "INSERT INTO queue (job, bucket, turn) VALUES (-1, 3, -800)"
        )
        var claims = 0
        while try claim().isEmpty, claims < 2000 { claims += 1 }
        #expect(claims <= BucketShare.buckets)
    }
}
