import TestTraits
import Testing

@testable import facefetch_fleet

/// Tests of what other programs add by SQL.
@Suite(
    "Adding to a fleet by SQL",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetAddingTests {
    private let fleet: Fleet

    init() throws { fleet = try Fleet(on: .shared()) }

    @Test(
        "An item that a daemon would refuse, or of which something would be left out, is refused with its place"
    )
    func refuses() throws {
        let queue = try fleet.connect()
        let url = #""url":"https://h.example/""#
        for (item, words) in [
            (#"7"#, "no object"), (#"{}"#, "url"), (#"{"url":7}"#, "url"), (#"{"url":"ftp://h/"}"#, "url"),
            (#"{"url":"http://h/ a"}"#, "url"), (#"{\#(url),"Headers":{}}"#, "no member Headers"),
            (#"{\#(url),"headers":{"X-A":1}}"#, "X-A"), (#"{\#(url),"headers":{"X A":"1"}}"#, "X A"),
            (#"{\#(url),"headers":{"X-A":"1\n2"}}"#, "X-A"), (#"{\#(url),"headers":[]}"#, "headers"),
            (#"{\#(url),"name":"../x"}"#, "name"), (#"{\#(url),"name":"a/b"}"#, "name"),
            (#"{\#(url),"name":""}"#, "name"), (#"{\#(url),"name":5}"#, "name"),
            (#"{\#(url),"sha256":"ab"}"#, "sha256"), (#"{\#(url),"priority":101}"#, "priority"),
            (#"{\#(url),"folder":"/a"}"#, "folder"), (#"{\#(url),"folder":"a/../b"}"#, "folder"),
            (#"{\#(url),"folder":"a//b"}"#, "folder"), (#"{\#(url),"folder":"a/"}"#, "folder"),
            (#"{\#(url),"folder":"a/a/a/a/a/a/a/a/a"}"#, "folder"), (#"{\#(url),"meta":7}"#, "meta"),
            (#"{\#(url),"meta":{"fleet":"1 2"}}"#, "meta"),
            (#"{"url":"http://h.example:99999/"}"#, "port"), (#"{"url":"http://u:1@h.example:0"}"#, "port"),
            (#"{"url":"http://[::1]:8o/"}"#, "port"), (#"{"url":"http://h.example:65536?a"}"#, "port"),
            (#"{\#(url),"priority":"5"}"#, "priority"), (#"{\#(url),"priority":1.5}"#, "priority"),
        ] {
            let list = #"[{\#(url)},\#(item)]"#
            do {
                _ = try fleet.number("SELECT add('k', 'd', $json$\(list)$json$)", queue)
                Issue.record("\(item) was taken")
            } catch let error as FleetQueueError {
                #expect(error.kind == .refused(code: "22023"), "\(item): \(error)")
                #expect(
                    error.description.hasPrefix("item 2: ") && error.description.contains(words),
                    "\(error)"
                )
            }
        }
        #expect(throws: FleetQueueError.self) { try fleet.number("SELECT add('k', 'd', '[]')", queue) }
        #expect(try fleet.number("SELECT count(*) FROM batches", queue) == 0)
        let all = """
            [{\(url),"name":"a b.jpg","sha256":null,"priority":-100,"headers":{"X-A":"b","Cookie":"c"}},
            {\(url),"headers":null,"name":null}, {"url":"http://u:99999@h.example:65535/a:99999"},
            {"url":"http://[::1]:080?x"}, {"url":"http://h.example:/"}]
            """
        _ = try fleet.number("SELECT add('k', 'd', $json$\(all)$json$)", queue)
        #expect(try fleet.number("SELECT count(*) FROM items WHERE headers ->> 'X-A' = 'b'", queue) == 1)
    }

    @Test("A key that comes again takes no number from the batches that follow")
    func numbers() throws {
        let queue = try fleet.connect()
        func add(_ key: String) throws -> FleetQueue.Added {
            var items: [FleetQueue.NewItem]? = [FleetQueue.NewItem(url: "http://h.example/")]
            return try queue.add(key: key, digest: "1") {
                defer { items = nil }
                return items
            }
        }
        #expect(try add("a") == .new(1) && add("a") == .known(1) && add("a") == .known(1))
        let sql = #"SELECT add('b', '1', '[{"url":"http://h.example/"}]')"#
        #expect(try fleet.number(sql, queue) == 2 && fleet.number(sql, queue) == 2)
        #expect(try add("c") == .new(3))
    }

    @Test("While a list comes piece by piece, no transaction is open, and one that breaks off leaves nothing")
    func pieces() throws {
        struct Broken: Error {}
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let open = """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                AND backend_type = 'client backend' AND (xact_start IS NOT NULL OR backend_xid IS NOT NULL)
            """
        func add(_ pieces: Int, breaks: Bool = false) throws -> FleetQueue.Added {
            var (left, next) = (pieces, 0)
            return try queue.add(key: "k", digest: "\(next) items") {
                #expect(try fleet.number(open, other) == 0)
                guard left > 0 else { return nil }
                left -= 1
                if breaks, left == 0 { throw Broken() }
                return (0..<1000).map { _ in
                    next += 1
                    return FleetQueue.NewItem(url: "http://h.example/\(next)")
                }
            }
        }
        #expect(throws: Broken.self) { try add(3, breaks: true) }
        for table in ["items", "queue", "batches"] {
            #expect(try fleet.number("SELECT count(*) FROM \(table)", queue) == 0)
        }
        #expect(try add(2) == .new(1))
        // In the list's order, and nothing of the one that broke off.
        let ordered = """
            SELECT count(*) FROM (SELECT job, row_number() OVER (ORDER BY job) AS place, url FROM items) AS i
            WHERE url = 'http://h.example/' || place
            """
        #expect(try fleet.number(ordered, queue) == 2000)
        // The digest is that of the whole list, and known only behind it.
        #expect(try add(2) == .known(1) && add(3) == .keyReused)
    }
}
