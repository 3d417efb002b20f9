import FleetCore
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import facefetch_fleet

/// The statements on a real PostgreSQL; skipped where there is none (package postgresql, version 15 or later,
/// or its programs in FACEFETCH_POSTGRES).
@Suite(
    "The fleet's queue",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetQueueTests {
    private let fleet: Fleet

    init() throws { fleet = try Fleet(on: .shared()) }

    private let slice = ClaimPlan.Claim.slice(jobs: 200, perBucket: 200)

    @Test("The host of a URL is read out of whatever an authority can have")
    func hosts() throws {
        let queue = try fleet.connect()
        for (url, host) in [
            ("http://A.example:80/x", "a.example"), ("https://u:p@h.example/x", "h.example"),
            ("http://h", "h"),
            ("http://[2001:DB8::1]:9/x", "[2001:db8::1]"), ("http://h?x/y", "h"), ("HTTPS://H.#x", "h"),
            ("http://u@h:9", "h"), ("http://h:9?a@b", "h"), ("http://h/a@b:c//d", "h"),
            ("http://a/://b/", "a"),
        ] {
            #expect(try fleet.number("SELECT (host('\(url)') = '\(host)')::int", queue) == 1, "\(url)")
        }
    }

    @Test("A node claims what is queued, and records what becomes of it once, however often it says so")
    func claimsAndRecords() throws {
        let batch = try fleet.add(300, headers: #"{"Authorization":"Bearer s3cret"}"#)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(items.count == 200 && Set(items.map(\.job)).count == 200)
        #expect(
            items.allSatisfy { $0.headers?.contains("s3cret") == true }
                && Set(items.map(\.job.token)).count == 1
        )
        #expect(try queue.held(by: node) == items)
        let recorded = try queue.report(Array(items.prefix(150)), by: node)
        #expect(recorded == Set(items.prefix(150).map(\.job)))
        #expect(try queue.report(Array(items.prefix(150)), by: node) == recorded)
        #expect(try fleet.number("SELECT count(*) FROM results", queue) == 150)
        #expect(try fleet.number("SELECT count(*) FROM queue", queue) == 150)
        #expect(try fleet.number("SELECT count(*) FROM items WHERE headers IS NOT NULL", queue) == 150)
        _ = try queue.report(Array(items.suffix(50)), .failed, by: node)
        let page = try queue.results(of: batch, after: 0)
        #expect(page.count == 200 && page.first?.json.contains(#""document":"file://n/d/"#) == true)
        let again = try queue.register(name: "a", store: "s", timing: Fleet.timing)
        #expect(again.incarnation == node.incarnation + 1 && again.event == 7)
        try queue.leave(again)
        #expect(try queue.register(name: "a", store: "other", timing: Fleet.timing).event == 0)
    }

    @Test("A batch is steered also where the database undoes that, since a report waited for it in turn")
    func deadlock() async throws {
        let batch = try fleet.add(9)
        let report = try fleet.connect()
        // It is never this one that is undone.
        try report.connection.execute("SET deadlock_timeout = '1 h'")
        try report.connection.execute("BEGIN")
        try report.connection.execute(
            "SELECT FROM queue WHERE job = (SELECT job FROM queue OFFSET 4 LIMIT 1) FOR UPDATE"
        )
        let paused = Self.pausing(batch, of: fleet)
        let waits = """
            SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
            """
        try await waitWhile { try fleet.number(waits, report) == 0 }
        #expect(try fleet.number("SELECT count(*) FROM (SELECT FROM queue FOR UPDATE) AS q", report) == 9)
        try report.connection.execute("COMMIT")
        #expect(try await paused.value == 9)
    }

    /// Pauses a batch on a thread of its own.
    private static func pausing(_ batch: Int64, of fleet: Fleet) -> Task<Int?, any Error> {
        let (counts, tell) = AsyncThrowingStream<Int?, any Error>.makeStream()
        Thread.detachNewThread {
            do { tell.yield(try fleet.connect().steer(.pause, batch: batch)) } catch {
                tell.finish(throwing: error)
            }
        }
        return Task { try await counts.first { _ in true } ?? nil }
    }

    @Test("Of what others have taken over, an old owner records nothing, claims nothing and renews nothing")
    func fences() throws {
        try fleet.add(100)
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(items.count == 100)
        try fleet.expire(node, other)
        let next = try fleet.node("b", other)
        let taken = try #require(try other.claim(slice, for: next, timing: Fleet.timing))
        #expect(
            Set(taken.map(\.job.job)) == Set(items.map(\.job.job)) && taken.allSatisfy { $0.takeovers == 1 }
        )
        #expect(try queue.report(items, by: node).isEmpty)
        #expect(try queue.claim(slice, for: node, timing: Fleet.timing) == nil)
        #expect(try queue.beat(node, timing: Fleet.timing) == .dead)
        #expect(try other.report(taken, by: next).count == 100)
        let endings = items.map { $0.ending() }
        let (recorded, superseded) = try queue.standing(of: endings, in: .local(node: "a"))
        #expect(recorded.isEmpty && superseded == Set(items.map(\.job)))
        let reborn = try queue.register(name: "a", store: "s", timing: Fleet.timing)
        #expect(try queue.held(by: reborn).isEmpty)
        #expect(try queue.beat(node, timing: Fleet.timing) == .replaced)
    }

    @Test("One report may have a job twice, under an old slice and a new one: the new one counts")
    func sameJobTwice() throws {
        try fleet.add(1)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let old = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        _ = try queue.report(
            ReportPlan(old.map { $0.ending(.cancelled) }, in: .local(node: "n")),
            through: 0,
            by: node
        )
        let new = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(new.map(\.takeovers) == [1])
        #expect(try queue.report(old + new, by: node) == Set(new.map(\.job)))
    }

    @Test("Buckets go to who comes, and what a node leaves is free at once")
    func shares() throws {
        try fleet.add(500)
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let first = try fleet.node("a", queue)
        #expect(try fleet.number("SELECT count(*) FROM buckets WHERE node = \(first.id)", queue) == 1024)
        let second = try fleet.node("b", other)
        try fleet.share(first, queue)
        try fleet.share(second, other)
        let owners = "SELECT count(*) FROM buckets WHERE node = "
        #expect(try fleet.number(owners + "\(first.id)", queue) == 512)
        #expect(try fleet.number(owners + "\(second.id)", queue) == 512)
        let mine = try #require(try queue.claim(slice, for: first, timing: Fleet.timing))
        let theirs = try #require(try other.claim(slice, for: second, timing: Fleet.timing))
        let hosts = { (items: [ClaimedItem]) in Set(items.compactMap { URL(string: $0.url)?.host }) }
        #expect(!mine.isEmpty && !theirs.isEmpty && hosts(mine).isDisjoint(with: hosts(theirs)))
        try queue.leave(first)
        #expect(try fleet.number(owners + "\(first.id)", queue) == 0)
        #expect(try fleet.number("SELECT count(*) FROM queue WHERE takeovers > 0", queue) == 0)
        try fleet.share(second, other)
        #expect(try fleet.number(owners + "\(second.id)", queue) == 1024)
    }

    @Test("A batch is added once for a key, whole or not at all")
    func adds() throws {
        let queue = try fleet.connect()
        func add(_ urls: [String], key: String?, digest: String) throws -> FleetQueue.Added {
            var rest: [String]? = urls
            return try queue.add(key: key, digest: digest) {
                defer { rest = nil }
                return rest?.map { FleetQueue.NewItem(url: $0) }
            }
        }
        let odd = "https://example.org/a\tb\\c\u{e9}.jpg"
        guard case .new(let batch) = try add(["https://EXAMPLE.org:8080/1", odd], key: "k", digest: "1")
        else {
            Issue.record("not new")
            return
        }
        #expect(try add(["https://example.org/2"], key: "k", digest: "1") == .known(batch))
        #expect(try add(["https://example.org/2"], key: "k", digest: "2") == .keyReused)
        #expect(throws: FleetQueueError.self) {
            try add(["https://example.org/3", "ftp://x/"], key: "l", digest: "3")
        }
        #expect(try fleet.number("SELECT count(*) FROM items", queue) == 2)
        #expect(try fleet.number("SELECT count(*) FROM batches", queue) == 1)
        #expect(try fleet.number("SELECT count(DISTINCT bucket) FROM items", queue) == 1)
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(items.map(\.url).contains(odd))
        let sql =
            #"SELECT add('f', 'd', '[{"url":"https://example.org/9","priority":5,"headers":{"Cookie":"c"}}]')"#
        let made = try fleet.number(sql, queue)
        #expect(try fleet.number(sql, queue) == made)
        #expect(try queue.claim(slice, for: node, timing: Fleet.timing)?.map(\.priority) == [5])
    }

    @Test("What is paused isn't claimed until it is resumed; what is cancelled is recorded as that")
    func steers() throws {
        let batch = try fleet.add(20)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let held = try #require(
            try queue.claim(.slice(jobs: 5, perBucket: 5), for: node, timing: Fleet.timing)
        )
        #expect(try queue.withdrawn(of: held.map(\.job)).isEmpty)
        try queue.listen()
        #expect(try queue.steer(.pause, batch: batch) == 20 && queue.steer(.pause, batch: batch + 1) == nil)
        // The node hears of it, and learns what it is to give up.
        #expect(try queue.hasNews() && queue.withdrawn(of: held.map(\.job)) == Set(held.map(\.job)))
        #expect(try queue.claim(slice, for: node, timing: Fleet.timing)?.isEmpty == true)
        #expect(try queue.status().paused == 20 && queue.status().queue == 0)
        #expect(try queue.report(held, by: node).isEmpty)
        #expect(try queue.steer(.resume, batch: batch) == 20)
        let again = try #require(
            try queue.claim(.slice(jobs: 5, perBucket: 5), for: node, timing: Fleet.timing)
        )
        #expect(again.count == 5 && again.allSatisfy { $0.takeovers == 0 })
        #expect(try queue.steer(.cancel, batch: batch) == 20)
        #expect(try queue.withdrawn(of: again.map(\.job)).count == 5)
        #expect(try queue.report(held + again, by: node).isEmpty)
        #expect(try fleet.number("SELECT count(*) FROM results WHERE state = 3", queue) == 20)
        let status = try queue.status()
        #expect(status.results == 20 && status.lastMinute == 0 && status.oldestSeconds == nil)
    }

    @Test("While slow hosts fill its slice, a node is topped up with jobs of others")
    func topsUp() throws {
        try fleet.add(400, hosts: 1)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let slow = try #require(
            try queue.claim(.slice(jobs: 100, perBucket: 100), for: node, timing: Fleet.timing)
        )
        let bucket = try #require(slow.first?.bucket)
        #expect(slow.count == 100 && slow.allSatisfy { $0.bucket == bucket })
        try fleet.add(20)
        let held = [bucket: 100]
        let topUp = ClaimPlan.Claim.topUp(jobs: 100, perBucket: 2)
        let others = try #require(try queue.claim(topUp, holding: held, for: node, timing: Fleet.timing))
        #expect(!others.isEmpty && others.allSatisfy { $0.bucket != bucket })
        #expect(try queue.held(by: node).allSatisfy { $0.bucket == bucket || others.contains($0) })
    }

    @Test("What a node holds of buckets that go to others can go back, without blame")
    func drains() throws {
        // Buckets of which a node holds nothing go first, so there are more hosts than it keeps buckets.
        try fleet.add(3000, hosts: 3000)
        let all = ClaimPlan.Claim.slice(jobs: 3000, perBucket: 3000)
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let first = try fleet.node("a", queue)
        let held = try #require(try queue.claim(all, for: first, timing: Fleet.timing))
        #expect(try queue.draining(of: first).isEmpty)
        let second = try fleet.node("b", other)
        try fleet.share(first, queue)
        let surplus = try queue.draining(of: first)
        #expect(!surplus.isEmpty && surplus.isSubset(of: held.map(\.job)))
        let given = held.filter { surplus.contains($0.job) }.map { $0.ending(.cancelled) }
        _ = try queue.report(ReportPlan(given, in: .local(node: "a")) { _ in true }, through: 0, by: first)
        try fleet.share(first, queue)
        try fleet.share(second, other)
        let claimed = try #require(try other.claim(all, for: second, timing: Fleet.timing))
        #expect(Set(claimed.map(\.job.job)).isSuperset(of: surplus.map(\.job)))
        #expect(claimed.allSatisfy { $0.takeovers == 0 })
    }

    @Test("Batches that ended long ago are forgotten, whole")
    func forgets() throws {
        let batch = try fleet.add(20)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        _ = try queue.report(Array(items.dropFirst()), by: node)
        try queue.connection.execute(
            "UPDATE batches SET created_at = now() - interval '2 d';"
                + "UPDATE results SET finished_at = now() - interval '2 d'"
        )
        #expect(try queue.forget(endedBefore: .seconds(86_400)) == 0)
        _ = try queue.report(Array(items.prefix(1)), by: node)
        #expect(try queue.forget(endedBefore: .seconds(86_400)) == 0)
        try queue.connection.execute("UPDATE results SET finished_at = now() - interval '2 d'")
        try fleet.add(3)
        #expect(try queue.forget(endedBefore: .seconds(86_400)) == 20 && !queue.has(batch))
        #expect(try fleet.number("SELECT count(*) FROM items", queue) == 3)
        #expect(try fleet.number("SELECT count(*) FROM results", queue) == 0)
    }

    @Test("A host that is wide is shared; all others stay together")
    func width() throws {
        let queue = try fleet.connect()
        try queue.connection.execute("INSERT INTO hosts VALUES ('wide.example', 4)")
        var items: [FleetQueue.NewItem]? = (0..<40).flatMap { number in
            ["wide.example", "narrow.example"].map { FleetQueue.NewItem(url: "http://u:p@\($0)/\(number)") }
        }
        _ = try queue.add(key: nil, digest: nil) {
            defer { items = nil }
            return items
        }
        let buckets = "SELECT count(DISTINCT bucket) FROM items WHERE url LIKE "
        #expect(try fleet.number(buckets + "'%@wide%'", queue) == 2)
        #expect(try fleet.number(buckets + "'%@narrow%'", queue) == 1)
    }

    @Test("Marks are HOT: claiming and giving back write no index")
    func isHOT() throws {
        // Transactions of others would keep old versions, for which there is no room.
        let fleet = try Fleet(on: PostgresServer())
        try fleet.add(2000)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        for _ in 0..<3 {
            let items = try #require(
                try queue.claim(.slice(jobs: 500, perBucket: 500), for: node, timing: Fleet.timing)
            )
            #expect(items.count == 500)
        }
        try queue.connection.execute("SELECT pg_stat_force_next_flush()")
        let updates = try fleet.number(
            "SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'queue' AND schemaname = current_schema()",
            queue
        )
        let hot = try fleet.number(
            "SELECT n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'queue' AND schemaname = current_schema()",
            queue
        )
        #expect(updates == 1500 && hot == updates)
    }

    @Test("After a crash of the database a new connection goes on; the old one says that it is lost")
    func crash() throws {
        // Nobody else's.
        let fleet = try Fleet(on: PostgresServer())
        try fleet.add(10)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        try fleet.server.stop()
        do {
            _ = try queue.beat(node, timing: Fleet.timing)
            Issue.record("no error")
        } catch { #expect(error.kind == .unreachable) }
        #expect(throws: FleetQueueError.self) { try fleet.connect() }
        try fleet.server.start()
        let again = try fleet.connect()
        #expect(try again.held(by: node) == items)
        #expect(try again.report(items, by: node).count == 10)
    }

    @Test("Nobody else sees anything of a fleet; whoever may read records sees no header fields")
    func rights() throws {
        try fleet.add(1, headers: #"{"Cookie":"c"}"#)
        let queue = try fleet.connect()
        try queue.connection.execute(
            "CREATE ROLE stranger; CREATE ROLE reader; CREATE ROLE \"sub\"\"mitter\""
        )
        try queue.connection.execute("REVOKE CONNECT ON DATABASE \(fleet.schema) FROM PUBLIC")
        try queue.allow(reader: "reader", submitter: #"sub"mitter"#)
        // Whoever may connect can hold the locks by which nodes take turns.
        let connects =
            "SELECT count(*) FROM pg_roles WHERE rolname IN ('stranger', 'reader', 'sub\"mitter') "
            + "AND has_database_privilege(oid, current_database(), 'CONNECT')"
        #expect(try fleet.number(connects, queue) == 2)
        #expect(try fleet.number(connects + " AND rolname = 'stranger'", queue) == 0)
        func may(_ role: String, _ sql: String) -> Bool {
            defer { try? queue.connection.execute("RESET ROLE") }
            do {
                try queue.connection.execute("SET ROLE \(role)")
                try queue.connection.execute(sql)
                return true
            } catch { return false }
        }
        let add = #"SELECT add(NULL, NULL, '[{"url":"http://a.example/"}]')"#
        for role in ["stranger", "reader", #""sub""mitter""#] {
            #expect(may(role, "SELECT * FROM \(fleet.schema).records") == (role == "reader"), "\(role)")
            #expect(!may(role, "SELECT headers FROM \(fleet.schema).items"))
            #expect(may(role, add) == role.contains("sub"), "\(role)")
            // Nobody of them claims anything.
            #expect(!may(role, "UPDATE \(fleet.schema).queue SET node = 1"), "\(role)")
        }
        #expect(
            try fleet.number("SELECT count(*) FROM batches WHERE submitted_by = session_user", queue) == 2
        )
    }
}
