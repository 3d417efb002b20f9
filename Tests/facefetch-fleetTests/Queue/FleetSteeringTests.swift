import FleetCore
import TestTraits
import Testing

@testable import facefetch_fleet

/// Tests of which jobs are steered, and of what becomes of them.
@Suite(
    "Steering of a fleet's jobs",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetSteeringTests {
    private let fleet: Fleet
    private let queue: FleetQueue

    init() throws {
        fleet = try Fleet(on: .shared())
        queue = try fleet.connect()
    }

    private let slice = ClaimPlan.Claim.slice(jobs: 200, perBucket: 200)
    private let all = JobSelection()

    /// Claims all that there is.
    private func claim(_ node: FleetQueue.Node) throws -> [ClaimedItem] {
        try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
    }

    /// Has jobs fail for a reason.
    private func fail(_ items: [ClaimedItem], _ code: String, _ node: FleetQueue.Node) throws {
        #expect(try queue.report(items, .failed, by: node).count == items.count)
        let jobs = ArrayText.of(items.map(\.job.job))
        try queue.connection.execute(
            #"UPDATE results SET error = '{"code":"\#(code)"}' WHERE job = ANY('\#(jobs)')"#
        )
    }

    /// Returns the numbers of jobs that are meant.
    private func listed(_ selection: JobSelection) throws -> Set<Int64> {
        let lines = try queue.jobs(selection, after: 0)
        #expect(lines.map(\.job) == lines.map(\.job).sorted())
        return Set(lines.map(\.job))
    }

    @Test("A host is meant in whatever batch, as it stands in a URL, and no other")
    func hosts() throws {
        let urls = [
            "http://a.example/1", "https://A.example:8443/2", "http://u:p@a.example/3",
            "http://b.a.example/4",
            "http://a.example.org/5", "http://b.example/a.example",
        ]
        for url in urls { _ = try fleet.add([FleetQueue.NewItem(url: url)], queue) }
        let hosts = all.with { $0.hosts = ["A.example."] }
        #expect(try listed(hosts) == [1, 2, 3])
        #expect(try queue.count(.pause, hosts).changed == 3 && queue.status().paused == 0)
        #expect(try queue.steer(.pause, hosts).changed == 3 && queue.status().paused == 3)
        #expect(try listed(hosts.among([.paused])) == [1, 2, 3] && listed(hosts.among([.queued])) == [])
        #expect(try queue.steer(.resume, hosts.with { $0.batch = 2 }).changed == 1)
        #expect(try queue.steer(.cancel, hosts.with { $0.hosts.append("b.example") }).changed == 4)
        #expect(try listed(all.among([.cancelled])) == [1, 2, 3, 6])
        #expect(try queue.steer(.retry, hosts.with { $0.jobs = [1, 3, 4] }).changed == 2)
    }

    @Test("A wide host is meant in all of its buckets")
    func wide() throws {
        try queue.connection.execute("INSERT INTO hosts VALUES ('host0.example', 8)")
        try fleet.add(60, hosts: 2)
        let wide = all.with { $0.hosts = ["host0.example"] }
        #expect(try fleet.number("SELECT count(DISTINCT bucket) FROM queue", queue) > 3)
        #expect(try queue.steer(.pause, wide).changed == 30)
        #expect(try queue.steer(.resume, wide).changed == 30 && queue.steer(.cancel, wide).changed == 30)
        #expect(try queue.steer(.retry, wide).changed == 30)
        // With a lower width they stay where they are.
        try queue.connection.execute("UPDATE hosts SET width = 2; UPDATE hosts SET width = 1")
        #expect(try queue.steer(.pause, wide).changed == 30)
        #expect(try fleet.number("SELECT widest FROM hosts", queue) == 8)
    }

    @Test("What failed for a reason is tried again, and nothing else, in turns as if it were added now")
    func codes() throws {
        try fleet.add(30, hosts: 1)
        try fleet.add(30, hosts: 1)
        let node = try fleet.node("a", queue)
        let items = try claim(node)
        try fail(Array(items.prefix(40)), "http_503", node)
        try fail(Array(items[40..<45]), "timeout", node)
        _ = try queue.report(Array(items[45..<50]), by: node)
        let busy = all.with { $0.codes = ["http_503"] }
        #expect(try listed(busy) == Set(items.prefix(40).map(\.job.job)))
        #expect(try queue.steer(.cancel, all.with { $0.codes = ["timeout"] }).changed == 0)
        try queue.connection.execute("DELETE FROM queue")
        #expect(try queue.steer(.retry, busy.with { $0.batch = 1 }).changed == 30)
        #expect(try queue.steer(.retry, busy).changed == 10)
        // Ten of a batch go before its others.
        #expect(try fleet.number("SELECT count(*) FROM queue WHERE turn = 0", queue) == 20)
        #expect(try listed(all.with { $0.codes = ["timeout", "unknown"] }).count == 5)
    }

    @Test("All that a lost node had done is fetched again, by another, and recorded again")
    func lostNode() throws {
        let batch = try fleet.add(12)
        try fleet.add(2, headers: #"{"Cookie":"c"}"#)
        let lost = try fleet.node("lost", queue)
        #expect(try queue.report(claim(lost), by: lost).count == 14)
        try fleet.add(5)
        try queue.leave(lost)
        let node = try fleet.node("a", queue)
        #expect(try queue.report(claim(node), by: node).count == 5)
        let its = all.with { $0.nodes = ["lost"] }
        #expect(try queue.steer(.retry, its.among([.failed])).changed == 0)
        // What had header fields can't be asked for again.
        #expect(try queue.count(.retry, its) == FleetQueue.Steered(changed: 12, without: 2))
        #expect(try queue.steer(.retry, its) == FleetQueue.Steered(changed: 12, without: 2))
        let again = try claim(node)
        #expect(try Set(again.map(\.job.job)) == Set(queue.jobs(of: batch).map(\.job)))
        #expect(try queue.report(again, by: node).count == 12)
        #expect(try listed(its).count == 2 && listed(its.with { $0.nodes = ["a"] }).count == 17)
    }

    @Test("What a node holds is taken from it alone")
    func held() throws {
        try fleet.add(300)
        let (first, second) = (try fleet.node("a", queue), try fleet.node("b", queue))
        try fleet.share(first, queue)
        try fleet.share(second, queue)
        let (mine, others) = (try claim(first), try claim(second))
        #expect(!mine.isEmpty && !others.isEmpty)
        let its = all.with { $0.nodes = ["a"] }
        #expect(try listed(its) == Set(mine.map(\.job.job)))
        #expect(try queue.steer(.pause, its).changed == mine.count)
        #expect(try queue.withdrawn(of: (mine + others).map(\.job)) == Set(mine.map(\.job)))
        #expect(try queue.steer(.cancel, all.among([.held])).changed == others.count)
        #expect(try queue.status().queue == 300 - mine.count - others.count)
        #expect(try queue.steer(.cancel, all.among([.paused])).changed == mine.count)
        #expect(try queue.steer(.cancel, all).changed == 300 - mine.count - others.count)
    }

    @Test("A new priority holds for what waits and is paused, and is heard of; what a node has keeps its own")
    func prioritizes() throws {
        let batch = try fleet.add(40, hosts: 1)
        let later = try fleet.add(40, hosts: 1)
        let node = try fleet.node("a", queue)
        let few = ClaimPlan.Claim.slice(jobs: 10, perBucket: 10)
        let held = try #require(try queue.claim(few, for: node, timing: Fleet.timing))
        let other = try fleet.connect()
        try other.listen()
        #expect(try queue.steer(.prioritize(7), .of(later)).changed == 40 - held.count(of: later, queue))
        #expect(try other.hasNews())
        let next = try #require(try queue.claim(few, for: node, timing: Fleet.timing))
        #expect(next.count == 10 && next.allSatisfy { $0.priority == 7 })
        #expect(
            try queue.held(by: node).filter { held.map(\.job).contains($0.job) }.allSatisfy {
                $0.priority == 0
            }
        )
        #expect(try queue.steer(.pause, batch: batch) == 40)
        #expect(try queue.show(held[0].job.job)?.contains(#""priority":0"#) == true)
        #expect(try queue.steer(.prioritize(-100), .of(batch)).changed == 40)
        #expect(try queue.show(held[0].job.job)?.contains(#""priority":-100"#) == true)
        #expect(try queue.steer(.resume, batch: batch) == 40)
        #expect(try fleet.number("SELECT count(*) FROM queue WHERE turn BETWEEN 800 AND 804", queue) == 40)
        #expect(try fleet.number("SELECT count(*) FROM queue WHERE turn = 800", queue) == 10)
        // What is tried again has the one that it was added with.
        #expect(try queue.steer(.cancel, batch: batch) == 40 && queue.steer(.retry, batch: batch) == 40)
        #expect(try queue.show(held[0].job.job)?.contains(#""priority":0"#) == true)
    }

    @Test("Parts are found by indexes, whatever the statistics say of tables that were empty")
    func plans() throws {
        for table in ["queue", "paused", "results"] {
            try queue.connection.execute("VACUUM ANALYZE \(table)")
        }
        try fleet.add(500)
        try queue.connection.execute(
            "ANALYZE items; \(SteeringStatements.chosen); \(SteeringStatements.plan)"
        )
        for call in [
            Call(SteeringStatements.pause, ["0", "t", "t", nil]), Call(SteeringStatements.resume, ["0"]),
            Call(SteeringStatements.cancel, ["0", "f", "t", "{a}", "t"]),
            Call(SteeringStatements.retry, ["0"]),
            Call(SteeringStatements.prioritize, ["0", "1", "t", "t"]),
            Call(SteeringStatements.giveBack, ["0"]),
        ] {
            let name = call.statement.name
            let explain = Statement(name: "explain_\(name)", sql: "EXPLAIN \(call.statement.sql)")
            let plan = try queue.connection.run([Call(explain, call.values)])[0].map { $0.text(0) ?? "" }
            // A cost for what is forbidden would have each part compiled (JIT), for longer than it takes.
            let scans = plan.filter { $0.contains("Seq Scan on") || $0.contains("JIT") }
            #expect(
                scans.isEmpty && plan.contains { $0.contains("Index Cond: (job = ANY") },
                "\(name): \(plan)"
            )
        }
    }

    @Test("More than a part is steered in parts, and listed page by page in whatever states")
    func parts() throws {
        let count = SteeringStatements.part + 5
        let batch = try fleet.add(count, hosts: 3)
        #expect(try queue.steer(.pause, all).changed == count)
        #expect(try queue.steer(.resume, all.with { $0.hosts = ["host1.example"] }).changed == count / 3)
        #expect(try queue.steer(.cancel, .of(batch)).changed == count)
        #expect(try queue.steer(.retry, .of(batch)).changed == count)
        // Whatever the part, ten of each bucket go first.
        let first = "SELECT count(*) FROM queue WHERE turn = 0"
        let buckets = try fleet.number("SELECT count(DISTINCT bucket) FROM queue", queue)
        #expect(try fleet.number(first, queue) == 10 * buckets)
        #expect(try queue.steer(.pause, jobs: [3, 5, 7]) == 3 && queue.steer(.cancel, jobs: [4, 5]) == 2)
        var (seen, last): ([Int64], Int64) = ([], 0)
        let mixed = all.among([.paused, .cancelled])
        while let page = Optional(try queue.jobs(mixed, after: last, atMost: 2)), let end = page.last?.job {
            seen += page.map(\.job)
            last = end
        }
        #expect(seen == [3, 4, 5, 7])
    }

    @Test("What there isn't is told")
    func unknown() throws {
        try fleet.add(3)
        _ = try fleet.node("a", queue)
        #expect(try queue.unknown(of: [1, 3, 9, 4]) == 4 && queue.unknown(of: [1, 2]) == nil)
        #expect(try queue.unknown(of: ["a", "b'"]) == "b'" && queue.unknown(of: ["a"]) == nil)
    }
}

extension [ClaimedItem] {
    /// Returns how many are of a batch.
    fileprivate func count(of batch: Int64, _ queue: FleetQueue) throws -> Int {
        let jobs = Set(try queue.jobs(of: batch).map(\.job))
        return count { jobs.contains($0.job.job) }
    }
}
