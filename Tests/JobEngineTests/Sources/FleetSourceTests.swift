import JobModel
import SourceCore
import SourceEngine
import TestSupport
import Testing
import Vocabulary

/// Tests of sources that hand their items to a fleet.
struct FleetSourceTests {
    private static func recipe(ahead: Int) -> String {
        SourceBench.recipe("one") + "\nqueue: fleet\nahead: \(ahead)\n"
    }

    @Test(
        "Items are handed over instead of becoming jobs, and the source reads on when the fleet is done with them"
    )
    func hands() async throws {
        let directory = try TemporaryDirectory(in: "/dev/shm")
        let bench = try SourceBench(path: directory.path("store.sqlite")) { request in
            SourceBench.page(
                "http://h/\(request.page).jpg",
                next: .url("http://example.org/\(request.page + 1)")
            )
        }
        try await bench.engine.load()
        bench.engine.start()
        let order = RecipeOrder(Self.recipe(ahead: 2), maySeeSecrets: false)
        let (source, _) = try await bench.engine.apply(order)
        try await bench.untilRead(source)
        try await bench.untilRead(source)
        let engine = bench.engine
        func untilHeld() async throws {
            try await waitWhile { try engine.source("one").condition != .held }
        }
        try await untilHeld()
        var items = try await engine.handedItems(after: 0, limit: 10)
        #expect(items.map(\.url) == ["http://h/1.jpg", "http://h/2.jpg"])
        #expect(items.allSatisfy { $0.source == "one" } && bench.feed.submitted.with { $0.isEmpty })
        #expect(try engine.source("one").reason?.contains("the fleet hasn't done with 2 items") == true)
        #expect(try await engine.handedCount(of: "one") == 2)
        // One is done: the next page is read, and no other.
        try await engine.takeBack([items[0].id])
        try await bench.untilRead(source)
        try await untilHeld()
        let last = items[1].id
        items = try await engine.handedItems(after: last, limit: 10)
        #expect(items.map(\.url) == ["http://h/3.jpg"])
        // Whoever removes the source with its jobs takes back what the fleet hasn't got.
        try await engine.remove("one", cancelsJobs: true)
        #expect(try await engine.handedItems(after: 0, limit: 10).isEmpty)
        await bench.end()
    }
}
