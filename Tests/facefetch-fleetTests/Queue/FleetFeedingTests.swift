import FleetCore
import TestTraits
import Testing

@testable import facefetch_fleet

/// Tests of what sources of daemons hand to a fleet.
@Suite(
    "What sources feed to a fleet",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetFeedingTests {
    private let fleet: Fleet
    private let queue: FleetQueue

    init() throws {
        fleet = try Fleet(on: .shared())
        queue = try fleet.connect()
    }

    private func items(_ numbers: ClosedRange<Int>) -> [String] {
        numbers.map { #"{"id":\#($0),"url":"https://h\#($0 % 7).example/\#($0).jpg","priority":\#($0 % 3)}"# }
    }

    @Test("Items become a batch once, however often and in whatever pieces they are handed over")
    func once() throws {
        #expect(try queue.fedThrough(store: "s") == 0)
        let first = try #require(try queue.feed(items(10...19), of: "list", store: "s"))
        #expect(try queue.fedThrough(store: "s") == 19)
        #expect(try queue.feed(items(10...19), of: "list", store: "s") == nil)
        // The last of them, and one that is new.
        let second = try #require(try queue.feed(items(15...20), of: "list", store: "s"))
        #expect(try fleet.number("SELECT count(*) FROM queue", queue) == 11)
        #expect(try fleet.number("SELECT items FROM batches WHERE batch = \(first)", queue) == 10)
        #expect(try fleet.number("SELECT items FROM batches WHERE batch = \(second)", queue) == 1)
        #expect(try queue.batches(latest: 5).map(\.source) == ["list", "list"])
        // Another daemon has numbers of its own.
        #expect(try queue.feed(items(1...2), of: "list", store: "t") != nil)
        #expect(try queue.knownItems([1, 2, 10, 20, 21], of: "s") == [10, 20])
        // Each job is that of its item.
        let wrong = """
            SELECT count(*) FROM fed JOIN items USING (job) WHERE items.batch <> fed.batch
                OR url <> 'https://h' || item % 7 || '.example/' || item || '.jpg'
            """
        #expect(try fleet.number(wrong, queue) == 0)
    }

    @Test("A batch with an item that is refused isn't added at all, and the rest of it is as before")
    func refused() throws {
        let bad = #"{"id":5,"url":"https://h/a.jpg","meta":{"text":"\u0000"}}"#
        for item in [bad, #"{"id":5,"url":"ftp://h/a.jpg"}"#, #"{"id":5,"url":"https://h/a","what":1}"#] {
            let error = #expect(throws: FleetQueueError.self) {
                try self.queue.feed([self.items(4...4)[0], item], of: "list", store: "s")
            }
            guard case .refused(let code)? = error?.kind else { continue }
            #expect(code.hasPrefix("22"), "\(code)")
        }
        #expect(try queue.fedThrough(store: "s") == 0)
        #expect(try queue.feed(items(4...4), of: "list", store: "s") != nil)
    }

    @Test("The fleet says which items it is done with until it has been told that the daemon knows")
    func ended() throws {
        _ = try queue.feed(items(1...6), of: "list", store: "s")
        #expect(try queue.endedItems(of: "s", atMost: 10).isEmpty)
        let node = try fleet.node("a", queue)
        let all = ClaimPlan.Claim.slice(jobs: 100, perBucket: 100)
        let claimed = try #require(try queue.claim(all, for: node, timing: Fleet.timing))
        let done = claimed.filter { ["/1.jpg", "/4.jpg"].contains($0.url.suffix(6)) }
        _ = try queue.report(done, by: node)
        #expect(try queue.endedItems(of: "s", atMost: 10) == [1, 4])
        #expect(try queue.endedItems(of: "s", atMost: 1) == [1])
        try queue.told([1, 4], store: "s")
        #expect(try queue.endedItems(of: "s", atMost: 10).isEmpty)
        // What is gone was there: it isn't handed over again.
        #expect(try queue.feed(items(1...6), of: "list", store: "s") == nil)
        #expect(try queue.knownItems([1, 2, 3, 4], of: "s") == [2, 3])
        // What is forgotten has ended, too.
        _ = try queue.report(claimed.filter { !done.contains($0) }, by: node)
        try queue.connection.execute("DELETE FROM results; DELETE FROM items")
        #expect(try queue.endedItems(of: "s", atMost: 10) == [2, 3, 5, 6])
    }
}
