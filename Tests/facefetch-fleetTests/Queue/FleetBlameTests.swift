import FleetCore
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import facefetch_fleet

/// Jobs whose nodes have ended.
@Suite(
    "Blame in a fleet",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetBlameTests {
    private let fleet: Fleet

    init() throws { fleet = try Fleet(on: .shared()) }

    private let slice = ClaimPlan.Claim.slice(jobs: 200, perBucket: 200)

    /// Has a node claim, and die.
    @discardableResult
    private func die(
        _ name: String,
        with claim: ClaimPlan.Claim,
        _ queue: FleetQueue
    ) throws -> [ClaimedItem] {
        let node = try fleet.node(name, queue)
        let items = try #require(try queue.claim(claim, for: node, timing: Fleet.timing))
        try fleet.expire(node, queue)
        return items
    }

    private func shares(_ node: FleetQueue.Node, _ queue: FleetQueue) throws -> FleetQueue.Shares {
        guard case .renewed(let shares) = try queue.beat(node, timing: Fleet.timing) else {
            throw FleetQueueError(.unreachable, "not renewed")
        }
        return shares
    }

    @Test(
        "With what nodes end, that goes in groups, then alone, and fails in the end, whoever has its bucket"
    )
    func poison() throws {
        try fleet.add(30)
        let queue = try fleet.connect()
        for round in 1...3 { #expect(try die("n\(round)", with: slice, queue).count == 30) }
        let node = try fleet.node("last", queue)
        #expect(try shares(node, queue).suspects == [3])
        #expect(try queue.claim(slice, for: node, timing: Fleet.timing)?.isEmpty == true)
        try fleet.expire(node, queue)
        #expect(try die("a", with: .suspects(blame: 3, jobs: 10), queue).count == 10)
        #expect(try die("b", with: .suspects(blame: 4, jobs: 1), queue).count == 1)
        for (name, blame) in [("c", 5), ("d", 6), ("e", 6)] {
            #expect(try die(name, with: .suspects(blame: blame, jobs: 1), queue).count == 1)
        }
        let end = try fleet.node("end", queue)
        // No bucket has to move for it.
        #expect(try shares(end, queue).suspects == [3, 4])
        let poisoned = "SELECT count(*) FROM results WHERE error ->> 'code' = 'poison'"
        #expect(try fleet.number(poisoned, queue) == 1)
        #expect(try fleet.number("SELECT count(*) FROM queue", queue) == 29)
        try queue.connection.execute("UPDATE queue SET takeovers = 9")
        _ = try shares(end, queue)
        #expect(try fleet.number(poisoned, queue) == 30)
    }

    @Test("A job that waited for its next try is not blamed, and its host is not asked sooner by others")
    func waits() throws {
        try fleet.add(10)
        let queue = try fleet.connect()
        for round in 1...5 {
            let node = try fleet.node("n\(round)", queue)
            let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
            let waiting = items.filter { $0.job.job.isMultiple(of: 2) }
            try queue.wait(Dictionary(uniqueKeysWithValues: waiting.map { ($0.job, 600) }))
            try fleet.expire(node, queue)
            let next = try fleet.node("m\(round)", queue)
            #expect(try queue.claim(slice, for: next, timing: Fleet.timing)?.count == (round < 3 ? 5 : 0))
            try queue.leave(next)
            // The time has come.
            try queue.connection.execute("UPDATE queue SET not_before = now() WHERE takeovers = 0")
        }
        #expect(try fleet.number("SELECT count(*) FROM queue WHERE takeovers = 0", queue) == 5)
        #expect(try fleet.number("SELECT count(*) FROM queue WHERE takeovers >= 3", queue) == 5)
    }

    @Test(
        "What was under way when a daemon died is blamed where it is held; where suspects were, nobody else"
    )
    func daemonDies() throws {
        try fleet.add(10)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        let (begun, others) = (items.prefix(4).map(\.job), items.suffix(6).map(\.job))
        #expect(try queue.blame(begun).isEmpty && queue.blame(begun).isEmpty)
        #expect(try queue.held(by: node).map(\.takeovers) == [2, 2, 2, 2, 0, 0, 0, 0, 0, 0])
        #expect(try queue.blame(begun) == Set(begun))
        #expect(try queue.blame(others + begun.prefix(1)) == Set(begun.prefix(1)))
        #expect(try queue.held(by: node).map(\.takeovers) == [4, 3, 3, 3, 0, 0, 0, 0, 0, 0])
        // What waited for its next try wasn't under way.
        try queue.wait([begun[0]: 60])
        #expect(try queue.blame([begun[0]]).isEmpty)
        // What others have since is theirs.
        try queue.leave(node)
        #expect(try queue.blame(begun).isEmpty)
        #expect(try fleet.number("SELECT sum(takeovers) FROM queue", queue) == 13)
    }

    @Test("Blame is forgiven with time")
    func forgives() throws {
        try fleet.add(4)
        let queue = try fleet.connect()
        for round in 1...6 {
            try die("n\(round)", with: slice, queue)
            _ = try fleet.node("next", queue)
            try queue.connection.execute("UPDATE queue SET blamed_at = now() - interval '61 min'")
            try queue.leave(try fleet.node("next", queue))
        }
        #expect(try fleet.number("SELECT count(*) FROM queue WHERE takeovers = 1", queue) == 4)
    }

    @Test("A step of the database's clock declares nobody dead, and blames nobody")
    func steps() throws {
        try fleet.add(20)
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        let watcher = try other.register(name: "b", store: "t", timing: Fleet.timing)
        let before = try shares(watcher, other).time
        // Had the clock gone an hour ahead, all leases would look so.
        try fleet.expire(node, other)
        guard
            case .renewed = try other.beat(
                watcher,
                timing: Fleet.timing,
                buries: true,
                expecting: before - 3600
            )
        else { throw FleetQueueError(.unreachable, "not renewed") }
        #expect(try shares(node, queue).nodes == 2)
        #expect(try queue.report(items, by: node).count == 20)
        // Had it gone back, leases would last too long.
        try queue.connection.execute("UPDATE nodes SET expires_at = now() + interval '1 h' WHERE name = 'a'")
        _ = try shares(watcher, other)
        let late = "SELECT count(*) FROM nodes WHERE expires_at > now() + interval '31 s'"
        #expect(try fleet.number(late, other) == 0)
    }

    @Test("A slice is known as held until it is reported, given back or taken over, and no longer")
    func slices() throws {
        let batch = try fleet.add(40)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        let count = "SELECT count(*) FROM slices"
        #expect(try fleet.number(count, queue) == 1 && queue.status().nodes.map(\.jobs) == [40])
        _ = try queue.report(Array(items.prefix(20)), by: node)
        #expect(try queue.held(by: node).count == 20 && queue.status().nodes.map(\.jobs) == [20])
        #expect(try queue.steer(.cancel, batch: batch) == 20)
        #expect(try queue.held(by: node).isEmpty && fleet.number(count, queue) == 0)
        try fleet.add(5)
        let next = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        try queue.finish(next.map(\.job.token), of: node)
        #expect(try fleet.number(count, queue) == 0)
    }

    @Test("Coming back, leaving, taking over and draining read what is held, however much waits")
    func readsWhatMoves() throws {
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        try queue.connection.execute(
            "INSERT INTO queue (job, bucket, turn) SELECT n, n % 1024, 0 FROM generate_series(1, 200000) AS n"
        )
        for isAnalyzed in [false, true] {
            if isAnalyzed { try queue.connection.execute("ANALYZE queue; ANALYZE slices; ANALYZE nodes") }
            for (statement, values) in [
                (JobStatements.free, []), (JobStatements.held, ["\(node.id)"]),
                (JobStatements.draining, ["\(node.id)"]), (JobStatements.prune, ["\(node.id)"]),
                (NodeStatements.give, ["\(node.id)"]),
                (NodeStatements.leave, ["\(node.id)", "\(node.incarnation)"]), (StatusStatements.nodes, []),
            ] as [(Statement, [String])] {
                let name = "explain \(statement.name) \(isAnalyzed)"
                let explain = Statement(name: name, sql: "EXPLAIN " + statement.sql)
                let plan = try queue.connection.run([Call(explain, values)])[0].map { $0.text(0) ?? "" }
                #expect(!plan.contains { $0.contains("Seq Scan on queue") }, "\(name): \(plan)")
            }
        }
    }

    @Test("The database blames whom the model blames, and forgives as much", arguments: 1...12)
    func model(seed: UInt64) throws {
        try fleet.add(40)
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        var dice = SeededGenerator(seed: seed)
        // Some fleets have no suspects, and in some all of them wait.
        let most = Int.random(in: 1...7, using: &dice)
        var (held, expected): ([Int64: (blame: Int, isUnderWay: Bool)], [Int64: Int]) = ([:], [:])
        var hours: [Int64: Int] = [:]
        for job in items.map(\.job.job) {
            let blame = Int.random(in: 0...most, using: &dice)
            let waits = Bool.random(using: &dice) || seed.isMultiple(of: 3) && blame >= Poison.suspectFrom
            held[job] = (blame, !waits)
            hours[job] = Bool.random(using: &dice) ? Int.random(in: 0...9, using: &dice) : nil
            let blamedAt = hours[job].map { "now() - interval '\($0) h 1 min'" } ?? "NULL"
            try queue.connection.execute(
                "UPDATE queue SET takeovers = \(blame), blamed_at = \(blamedAt), "
                    + "not_before = now() + interval '\(waits ? 9 : -9) min' WHERE job = \(job)"
            )
        }
        let blamed = Poison.blamed(of: held)
        for (job, (blame, _)) in held {
            let forgiven = hours[job].map { Duration.seconds(3600 * $0 + 60) / Poison.forgiveness } ?? 0
            expected[job] = blamed.contains(job) ? 1 + max(0, blame - Int(forgiven)) : blame
        }
        try fleet.expire(node, queue)
        // It has no buckets, in which it would end what is proven.
        _ = try shares(try other.register(name: "b", store: "t", timing: Fleet.timing), other)
        let rows = Statement(name: "blame", sql: "SELECT job, takeovers FROM queue WHERE node IS NULL")
        let found = try other.connection.run([Call(rows)])[0].map {
            ($0.integer(0) ?? 0, Int($0.integer(1) ?? -1))
        }
        #expect(Dictionary(uniqueKeysWithValues: found) == expected)
    }
}
