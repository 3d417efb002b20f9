import FleetCore
import TestTraits
import Testing

@testable import facefetch_fleet

/// Tests of what people see of nodes, hosts and the time that jobs take.
@Suite(
    "How a fleet stands",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetStatusTests {
    private let fleet: Fleet
    private let queue: FleetQueue

    init() throws {
        fleet = try Fleet(on: .shared())
        queue = try fleet.connect()
    }

    @Test("Hosts are told with what is open there, and what became of the rest; nodes with their work")
    func hostsAndNodes() throws {
        let first = try fleet.add(30, hosts: 3)
        try fleet.add([FleetQueue.NewItem(url: "http://u:p@HOST0.example:81/x")], queue).check()
        let node = try fleet.node("a", queue)
        let all = ClaimPlan.Claim.slice(jobs: 100, perBucket: 100)
        let items = try #require(try queue.claim(all, for: node, timing: Fleet.timing))
        let of = { (host: String) in items.filter { $0.url.lowercased().contains(host) } }
        #expect(of("host0").count == 11 && items.count == 31)
        _ = try queue.report(Array(of("host1").prefix(7)), .failed, by: node)
        try queue.connection.execute(#"UPDATE results SET error = '{"code":"timeout"}' WHERE job % 2 = 0"#)
        _ = try queue.report(Array(of("host2")), by: node)
        try queue.wait([of("host0")[0].job: 60, of("host0")[1].job: 60])
        #expect(try queue.steer(.pause, jobs: of("host1").suffix(3).map(\.job.job)) == 3)
        try queue.connection.execute(
            "UPDATE batches SET created_at = now() - interval '1 h' WHERE batch = \(first)"
        )
        let hosts = try #require(try queue.status(hosts: 9).hosts)
        #expect(hosts.map(\.name) == ["host0.example", "host1.example", "host2.example"])
        #expect(
            hosts.map { [$0.queued, $0.held, $0.paused, $0.waiting, $0.done, $0.failed] } == [
                [0, 11, 0, 2, 0, 0], [0, 0, 3, 0, 0, 7], [0, 0, 0, 0, 10, 0],
            ]
        )
        #expect(hosts.map { ($0.oldestSeconds ?? 0) >= 3600 } == [true, true, false])
        #expect(hosts[1].code != nil && hosts[0].code == nil)
        #expect(try queue.status(hosts: 1).hosts?.map(\.name) == ["host0.example"])
        let work = try #require(try queue.status(work: true).nodes.first?.work)
        #expect([work.waiting, work.lastMinute, work.done, work.failed] == [2, 17, 10, 7])
        #expect(work.failures == "unknown 7")
        #expect(try queue.status().nodes.first?.work == nil && queue.status().hosts == nil)
        try queue.leave(node)
        #expect(try queue.status(hosts: 9).hosts?.first.map { [$0.queued, $0.held] } == [11, 0])
        // There is nothing to tell of a host of which all was cancelled.
        try fleet.add([FleetQueue.NewItem(url: "http://gone.example/")], queue).check()
        let gone = JobSelection().with { $0.hosts = ["gone.example"] }
        #expect(try queue.steer(.cancel, gone).changed == 1 && queue.status(hosts: 9).hosts?.count == 3)
    }

    @Test("How long jobs take since they were added is told of the last minute")
    func waited() throws {
        let batch = try fleet.add(100)
        let node = try fleet.node("a", queue)
        #expect(try queue.status().waited == nil)
        let all = ClaimPlan.Claim.slice(jobs: 100, perBucket: 100)
        _ = try queue.report(try #require(try queue.claim(all, for: node, timing: Fleet.timing)), by: node)
        try queue.connection.execute(
            """
            UPDATE batches SET created_at = now() - interval '1000 s' WHERE batch = \(batch);
            UPDATE results SET finished_at = now() - interval '30 s' WHERE job % 100 < 60;
            UPDATE results SET finished_at = now() + interval '1 h' WHERE job % 100 = 99;
            """
        )
        let waited = try #require(try queue.status().waited)
        #expect(waited.p50.rounded() == 970 && waited.p99 > 1000 && waited.p99 < 1100)
        // What somebody cancels has taken as long as they let it lie.
        let old = try fleet.add(200)
        try queue.connection.execute(
            "UPDATE batches SET created_at = now() - interval '9 days' WHERE batch = \(old)"
        )
        #expect(try queue.steer(.cancel, batch: old) == 200)
        let same = try #require(try queue.status().waited)
        #expect(same.p50.rounded() == 970 && same.p99 < 1100)
        try queue.connection.execute("UPDATE results SET finished_at = now() - interval '2 min'")
        #expect(try queue.status().waited == nil)
    }
}

extension FleetQueue.Added {
    /// Has the test fail unless it is new.
    fileprivate func check() throws {
        guard case .new = self else {
            Issue.record("not new")
            return
        }
    }
}
