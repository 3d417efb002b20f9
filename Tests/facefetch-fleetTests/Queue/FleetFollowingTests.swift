import FleetCore
import TestTraits
import Testing

@testable import facefetch_fleet

/// Following what a fleet records, and finding it again.
@Suite(
    "The record of a fleet",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetFollowingTests {
    private let fleet: Fleet

    init() throws { fleet = try Fleet(on: .secluded()) }

    private let slice = ClaimPlan.Claim.slice(jobs: 200, perBucket: 200)

    /// Reads all records behind a cursor, a few at a time, until there are so many: PostgreSQL has transactions of its
    /// own, which hold them up.
    private func follow(
        _ queue: FleetQueue,
        after start: FleetQueue.Cursor = .start,
        of batch: Int64? = nil,
        until count: Int
    ) throws -> [(cursor: FleetQueue.Cursor, json: String)] {
        var found: [(cursor: FleetQueue.Cursor, json: String)] = []
        for _ in 0..<200_000 where found.count < count {
            found += try queue.records(after: found.last?.cursor ?? start, of: batch, atMost: 3)
        }
        return found
    }

    @Test(
        "Whoever follows the record by its cursors misses nothing of what was in flight, and sees nothing twice"
    )
    func inFlight() throws {
        let batch = try fleet.add(10)
        let (queue, slow) = (try fleet.connect(), try fleet.connect())
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(try queue.report(Array(items.prefix(2)), by: node).count == 2)
        let first = try follow(queue, until: 2)
        #expect(first.count == 2)
        // As another node would: each counts in rows of its own.
        let names = items[2..<5].map { "\($0.job.job)" }.joined(separator: ", ")
        try slow.connection.execute(
            """
            BEGIN; DELETE FROM queue WHERE job IN (\(names));
            INSERT INTO results (job, batch, node, token, state)
                SELECT job, batch, 77, 5, 1 FROM items WHERE job IN (\(names))
            """
        )
        #expect(try queue.report(Array(items[5...]), by: node).count == 5)
        // They are there, and come after what isn't committed yet.
        #expect(try fleet.number("SELECT count(*) FROM results", queue) == 7)
        #expect(try queue.records(after: try #require(first.last).cursor).isEmpty)
        try slow.connection.execute("COMMIT")
        let rest = try follow(queue, after: try #require(first.last).cursor, of: batch, until: 8)
        let jobs = (first + rest).map { $0.cursor.job }
        #expect(rest.count == 8 && Set(jobs) == Set(items.map(\.job.job)) && jobs.count == 10)
        let last = try #require(rest.last).cursor
        #expect(try queue.records(after: last).isEmpty && FleetQueue.Cursor(last.text) == last)
        #expect(try #require(rest.last).json.contains(#""state":"done""#))
        #expect(try queue.records(after: .start, of: batch + 1).isEmpty)
        // What ends again comes again.
        try queue.connection.execute("UPDATE results SET state = 2")
        #expect(try #require(try queue.retry(batch: batch, onlyFailed: true)).queued == 10)
        let again = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(
            try queue.report(again, by: node).count == 10 && follow(queue, after: last, until: 10).count == 10
        )
    }

    @Test("The page behind a cursor is read by an index, however much there is")
    func plan() throws {
        let queue = try fleet.connect()
        try queue.connection.execute(
            """
            INSERT INTO results (job, batch, node, token, state) SELECT n, 1, 1, 1, 1
            FROM generate_series(1, 50000) AS n; ANALYZE results
            """
        )
        let explain = Statement(name: "explain follow", sql: "EXPLAIN " + BatchStatements.follow.sql)
        let plan = try queue.connection.run([Call(explain, ["5", "1", nil, "1000", "f"])])[0].map {
            $0.text(0) ?? ""
        }
        #expect(plan.contains { $0.contains("results_in_order") }, "\(plan)")
    }

    @Test(
        "How many have ended is counted as they end, are tried again, cancelled and forgotten, and not read"
    )
    func tallies() throws {
        let batch = try fleet.add(10)
        try fleet.add(3)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        func counts() throws -> [Int] {
            let status = try queue.status()
            #expect(try fleet.number("SELECT count(*) FROM queue", queue) == status.queue)
            #expect(try fleet.number("SELECT count(*) FROM results", queue) == status.results)
            return [status.queue, status.paused, status.results, status.poison, status.lastMinute]
        }
        #expect(try counts() == [13, 0, 0, 0, 0])
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
            .filter { $0.job.job <= 10 }
        _ = try queue.report(Array(items.prefix(4)), .failed, by: node)
        _ = try queue.report(Array(items[4..<6]), by: node)
        #expect(try counts() == [7, 0, 6, 0, 6])
        #expect(try queue.steer(.pause, batch: batch) == 4 && counts() == [3, 4, 6, 0, 6])
        #expect(try queue.steer(.cancel, batch: batch) == 4 && counts() == [3, 0, 10, 0, 6])
        #expect(try queue.retry(batch: batch, onlyFailed: true)?.queued == 4)
        #expect(try counts() == [7, 0, 6, 0, 2])
        let line = try #require(try queue.batches(latest: 2).last)
        #expect(
            [line.done, line.failed, line.cancelled, line.lastMinute] == [2, 0, 4, 2] && line.failures == nil
        )
        try queue.connection.execute("UPDATE queue SET takeovers = 20, node = NULL WHERE job <= 10")
        _ = try queue.beat(node, timing: Fleet.timing)
        #expect(try counts() == [3, 0, 10, 4, 6])
        #expect(try #require(try queue.batches(latest: 2).last).failures == "poison 4")
        try queue.connection.execute(
            "UPDATE batches SET created_at = now() - interval '9 d'; UPDATE results SET finished_at = now() - interval '8 d'"
        )
        #expect(try queue.forget(endedBefore: .seconds(7 * 86_400)) == 10 && counts() == [3, 0, 0, 0, 0])
        #expect(try fleet.number("SELECT count(*) FROM tallies", queue) == 0)
        let explain = Statement(name: "explain totals", sql: "EXPLAIN " + StatusStatements.totals.sql)
        try queue.connection.execute(
            """
            INSERT INTO results (job, batch, node, token, state, finished_at)
            SELECT n, 1, 1, 1, 1, now() - interval '1 d' FROM generate_series(100, 50000) AS n
            """
        )
        try queue.connection.execute("ANALYZE results; ANALYZE queue")
        let plan = try queue.connection.run([Call(explain)])[0].map { $0.text(0) ?? "" }
        #expect(!plan.contains { $0.contains("Seq Scan on results") }, "\(plan)")
    }

    @Test("Jobs of a batch are listed by their states, and cancelled one by one")
    func jobs() throws {
        let batch = try fleet.add(6)
        let queue = try fleet.connect()
        let node = try fleet.node("a", queue)
        let items = try #require(
            try queue.claim(.slice(jobs: 3, perBucket: 3), for: node, timing: Fleet.timing)
        )
        _ = try queue.report([items[0]], by: node)
        _ = try queue.report([items[1]], .failed, by: node)
        func jobs(_ states: String...) throws -> [FleetQueue.JobLine] {
            try queue.jobs(of: batch, after: 0, states: states)
        }
        #expect(try jobs().count == 6 && jobs("queued").count == 3 && jobs("paused").isEmpty)
        #expect(try jobs("held").map(\.job) == [items[2].job.job] && jobs("held").map(\.node) == ["a"])
        #expect(try jobs("done", "failed").count == 2 && jobs("done").first?.url == items[0].url)
        let all = try jobs().map(\.job)
        #expect(try queue.jobs(of: batch, after: all[1], atMost: 2).map(\.job) == Array(all[2...3]))
        // One is held, one is queued, one has ended, and one there is not.
        let queued = try #require(try jobs("queued").first).job
        #expect(try queue.steer(.cancel, jobs: [items[2].job.job, queued, items[0].job.job, 1 << 40]) == 2)
        #expect(try jobs("cancelled").count == 2 && jobs("done").count == 1)
        #expect(try queue.withdrawn(of: items.map(\.job)).contains(items[2].job))
        #expect(try queue.report([items[2]], by: node).isEmpty)
        #expect(try #require(try queue.batches(latest: 1).first).lastMinute == 2)
    }

    @Test(
        "Documents of forgotten batches are found by URL and by SHA-256, unless it is forgotten where they are"
    )
    func finds() throws {
        try queueOneWithPassword()
        let queue = try fleet.connect()
        let url = "http://user:secret@h.example/a.jpg"
        let hash = String(repeating: "ab", count: 32)
        let found = try queue.documents(url: url)
        #expect(found.count == 1 && found[0].contains(#""forgotten_at":null"#))
        #expect(try queue.documents(sha256: hash).count == 1)
        try queue.connection.execute(
            "UPDATE batches SET created_at = now() - interval '9 d'; UPDATE results SET finished_at = now() - interval '8 d'"
        )
        #expect(try queue.forget(endedBefore: .seconds(7 * 86_400)) == 1)
        #expect(try fleet.number("SELECT count(*) FROM items", queue) == 0)
        let kept = try queue.documents(url: url)
        #expect(kept.count == 1 && kept[0].contains("file://n/d/") && !kept[0].contains("secret"))
        #expect(try queue.documents(sha256: hash) == kept && queue.documents(url: url + "x").isEmpty)
        #expect(try queue.forget(endedBefore: .seconds(7 * 86_400), wholly: true) == 0)
        #expect(try queue.documents(url: url).isEmpty)
    }

    private func queueOneWithPassword() throws {
        let queue = try fleet.connect()
        _ = try fleet.add([FleetQueue.NewItem(url: "http://user:secret@h.example/a.jpg")], queue)
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        _ = try queue.report(items, by: node)
    }

    @Test(
        "With --skip-known, what a job of any batch has is left out, what failed isn't, and what comes twice is"
    )
    func skips() throws {
        let queue = try fleet.connect()
        func add(_ names: String...) throws -> FleetQueue.Added {
            try fleet.add(
                names.map { FleetQueue.NewItem(url: "http://h.example/\($0)") },
                queue,
                skipsKnown: true
            )
        }
        #expect(try add("a", "b", "a") == .partly(1, items: 2))
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        _ = try queue.report(items.filter { $0.url.hasSuffix("a") }, .failed, by: node)
        guard case .partly(let second, items: 2) = try add("a", "b", "c") else {
            Issue.record("another number of items")
            return
        }
        #expect(try fleet.number("SELECT items FROM batches WHERE batch = \(second)", queue) == 2)
        #expect(try add("a", "b", "c") == .nothing)
        #expect(try fleet.number("SELECT count(*) FROM batches", queue) == 2)
        // What there is a document of is known when its batch is forgotten.
        let rest = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        _ = try queue.report(items + rest, by: node)
        try queue.connection.execute(
            "UPDATE batches SET created_at = now() - interval '9 d'; UPDATE results SET finished_at = now() - interval '8 d'"
        )
        #expect(try queue.forget(endedBefore: .seconds(7 * 86_400)) == 4)
        #expect(try add("a", "b", "c") == .nothing)
    }

    @Test("Folder and facts go with an item to the node, and what a daemon says of its document into exports")
    func facts() throws {
        let queue = try fleet.connect()
        var item = FleetQueue.NewItem(url: "http://h.example/a.jpg?x=1")
        (item.folder, item.meta) = ("holiday/2026", #"{"album":"b\\c","n":1}"#)
        _ = try fleet.add([item], queue)
        let node = try fleet.node("a", queue)
        let claimed = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(claimed.first?.folder == "holiday/2026")
        #expect(claimed.first?.meta == #"{"n": 1, "album": "b\\c"}"#)
        #expect(try queue.held(by: node) == claimed)
        var ending = try #require(claimed.first).ending()
        ending.facts = #"{"name":"a.jpg","folder":"holiday/2026","response":{"etag":"e"}}"#
        let plan = ReportPlan([ending], in: .local(node: "a"))
        #expect(try queue.report(plan, through: 1, by: node).count == 1)
        var json = ""
        for _ in 0..<200_000 where json.isEmpty {
            json = try queue.records(after: .start, as: .job).first?.json ?? ""
        }
        for part in [
            #""state" : "done""#, #""name" : "a.jpg""#, #""folder" : "holiday/2026""#, #""etag": "e""#,
            #""album": "b\\c""#, #""path" : "file://a/d/"#, #""node" : "a""#,
        ] {
            #expect(json.contains(part), "\(part) in \(json)")
        }
        let list = #"[{"url":"http://h.example/","folder":"a/b","meta":{"k":[1]}}]"#
        _ = try fleet.number("SELECT add('k', 'd', $json$\(list)$json$)", queue)
        let both = "SELECT count(*) FROM items WHERE folder = 'a/b' AND meta = '{\"k\": [1]}'"
        #expect(try fleet.number(both, queue) == 1)
    }

    @Test("A role that runs nodes does all that an agent does, and makes, adds and steers nothing")
    func nodeRole() throws {
        try fleet.add(20, headers: #"{"Cookie":"c"}"#)
        let owner = try fleet.connect()
        let role = "runner\(UInt32.random(in: 0 ... .max))"
        try owner.connection.execute("CREATE ROLE \(role) LOGIN")
        try owner.allow(node: role)
        let database = fleet.database.replacing("user=fleet", with: "user=\(role)")
        let queue = try FleetQueue(database, schema: fleet.schema, patience: .seconds(20))
        try queue.listen()
        let node = try fleet.node("a", queue)
        let items = try #require(try queue.claim(slice, for: node, timing: Fleet.timing))
        #expect(items.count == 20 && items.allSatisfy { $0.headers != nil })
        #expect(try queue.held(by: node).count == 20 && queue.withdrawn(of: items.map(\.job)).isEmpty)
        try queue.wait([items[0].job: 5])
        #expect(try queue.draining(of: node).isEmpty)
        #expect(try queue.standing(of: items.map { $0.ending() }, in: .local(node: "a")).recorded.isEmpty)
        #expect(try queue.report(Array(items.prefix(15)), by: node).count == 15)
        try queue.rest(node, because: "no reason")
        #expect(try queue.others(than: node) == (0, 0))
        try queue.drain(10, of: node)
        try queue.finish([0], of: node)
        let fed = try queue.feed([#"{"id":1,"url":"http://h.example/"}"#], of: "list", store: "s")
        #expect(
            try fed != nil && queue.knownItems([1], of: "s") == [1]
                && queue.endedItems(of: "s", atMost: 1) == []
        )
        try queue.told([1], store: "s")
        // One that is taken over, with a job that is condemned.
        try fleet.expire(node, owner)
        try owner.connection.execute("UPDATE queue SET takeovers = 20 WHERE job = \(items[19].job.job)")
        let next = try fleet.node("b", queue)
        try fleet.share(next, queue)
        try queue.leave(next)
        for sql in [
            "DELETE FROM results", "UPDATE items SET url = 'http://h/'", "SELECT * FROM batches",
            "CREATE TABLE t (x int)", "DELETE FROM nodes", "UPDATE results SET state = 1",
            "SELECT add(NULL, NULL, '[{\"url\":\"http://h.example/\"}]')",
            "INSERT INTO queue VALUES (1, 1, 1)", "UPDATE feeds SET through = 0", "DELETE FROM feeds",
            "SELECT url FROM contents", "DELETE FROM lives", "SELECT add_life()", "DELETE FROM hold",
        ] {
            #expect(throws: FleetQueueError.self, "\(sql)") { try queue.connection.execute(sql) }
        }
    }

    @Test("Whoever operates a fleet is a member of its owner, and what they make belongs to that")
    func operatorRole() throws {
        let owner = try fleet.connect()
        let role = "operator\(UInt32.random(in: 0 ... .max))"
        try owner.connection.execute("CREATE ROLE \(role) LOGIN IN ROLE fleet")
        let database =
            fleet.database.replacing("user=fleet", with: "user=\(role)") + " options='-c role=fleet'"
        let queue = try FleetQueue(database, schema: fleet.schema, patience: .seconds(20))
        #expect(try fleet.add([FleetQueue.NewItem(url: "http://h.example/")], queue) == .new(1))
        #expect(try queue.steer(.pause, batch: 1) == 1 && queue.batches(latest: 1).count == 1)
    }

    @Test("Whoever reads can follow, export, list batches and see how the fleet stands, and no more")
    func readerRole() throws {
        let batch = try fleet.add(3, headers: #"{"Cookie":"c"}"#)
        let owner = try fleet.connect()
        let role = "reader\(UInt32.random(in: 0 ... .max))"
        try owner.connection.execute("CREATE ROLE \(role) LOGIN")
        try owner.allow(reader: role)
        let database = fleet.database.replacing("user=fleet", with: "user=\(role)")
        let queue = try FleetQueue(database, schema: fleet.schema, patience: .seconds(20))
        #expect(try queue.records(after: .start).isEmpty && queue.records(after: .start, as: .job).isEmpty)
        #expect(
            try queue.has(batch) && queue.verdict(on: .start) == .goesOn
                && queue.results(of: batch, after: 0).isEmpty
        )
        #expect(try queue.status(work: true).queue == 3 && queue.batches(latest: 9).map(\.items) == [3])
        let secrets = [
            "SELECT * FROM items", "SELECT url FROM items", "SELECT * FROM results", "SELECT * FROM contents",
        ]
        let changes = [
            "DELETE FROM queue", "UPDATE nodes SET name = 'x'", "DELETE FROM results",
            "UPDATE batches SET key = 'x'",
            "SELECT add(NULL, NULL, '[{\"url\":\"http://h.example/\"}]')", "SELECT feed('s', 'x', '[]')",
        ]
        for sql in secrets + changes {
            #expect(throws: FleetQueueError.self, "\(sql)") { try queue.connection.execute(sql) }
        }
    }

    @Test("A node that rests counts for nobody's share, says why, and is like the others when it works again")
    func rests() throws {
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let node = try fleet.node("a", queue)
        let next = try fleet.node("b", other)
        func nodes() throws -> Int {
            guard case .renewed(let shares) = try other.beat(next, timing: Fleet.timing) else { return -1 }
            return shares.nodes
        }
        #expect(try nodes() == 2)
        #expect(try queue.rest(node, because: "all fails", besideOthers: true))
        // Of two, one goes on, whatever it fails.
        #expect(try !other.rest(next, because: "all fails", besideOthers: true))
        try queue.drain(BucketShare.buckets, of: node)
        #expect(try nodes() == 1 && queue.status().nodes.map(\.resting) == ["all fails", nil])
        try fleet.share(next, other)
        #expect(try fleet.number("SELECT count(*) FROM buckets WHERE node = \(next.id)", other) == 1024)
        try queue.rest(node, because: nil)
        #expect(try nodes() == 2 && queue.status().nodes.map(\.resting) == [nil, nil])
        try queue.rest(node, because: "gone")
        _ = try fleet.node("a", queue)
        #expect(try queue.status().nodes.map(\.resting) == [nil, nil])
    }
}
