import TestTraits
import Testing

@testable import FleetQueue

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
            {\(url),"headers":null,"name":null}]
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
}
