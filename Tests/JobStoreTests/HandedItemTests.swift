import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Tests of the items that sources hand to a fleet.
struct HandedItemTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ items: [HandedItem]) -> StoreChanges {
        var write = SourceWrite(SourceRow(id: 1, name: "list", recipe: "recipe", state: "{}"))
        write.handed = items
        write.keys = items.indices.map {
            .init(hash: ItemHash(high: UInt64(items[$0].id), low: UInt64($0)), item: $0)
        }
        var changes = StoreChanges()
        changes.sources = [write]
        return changes
    }

    private func item(_ least: Int64, _ name: String, source: String = "list") -> HandedItem {
        var item = HandedItem(id: least, source: source, url: "https://h/\(name).jpg", priority: -3)
        (item.name, item.folder, item.sha256, item.meta) = (name, "a/b", "ee", #"{"a":1}"#)
        return item
    }

    @Test(
        "Items are handed over also where the largest number is damaged",
        arguments: ["'x'", "NULL", "x'FF'", "-5", "9223372036854775807", "1e300"]
    )
    func damaged(value: String) async throws {
        let store = try open()
        try store.commit(write([item(1000, "a")]))
        try await store.database.write { try $0.execute(sql: "UPDATE sqlite_sequence SET seq = \(value)") }
        try store.commit(write([item(2000, "b"), item(2000, "c")]))
        #expect(try await store.handedItems(after: 0, limit: 10).map(\.id) == [1000, 2000, 2001])
    }

    @Test("Items get ascending numbers, no number comes twice, and their keys are known without a job")
    func numbers() async throws {
        let store = try open()
        try store.commit(write([item(1000, "a"), item(1000, "b")]))
        var items = try await store.handedItems(after: 0, limit: 10)
        #expect(items.map(\.id) == [1000, 1001])
        var first = item(1000, "a")
        #expect(items.first == first)
        let known = try await store.knownItems([ItemHash(high: 1000, low: 1)], of: 1).values.first
        #expect(known?.job.rawValue == 0 && known?.path == nil && known?.pendingURL == nil)
        var back = StoreChanges()
        back.sources = [SourceWrite(returned: [1000, 1001, 7])]
        try store.commit(back)
        #expect(try await store.handedItems(after: 0, limit: 10).isEmpty)
        // The clock was set back meanwhile.
        try store.commit(write([item(500, "c")]))
        items = try await store.handedItems(after: 1001, limit: 10)
        first = item(1002, "c")
        #expect(items == [first])
        #expect(try await store.sources().count == 1)
    }

    @Test("They are listed by number, and count as unfinished, up to a limit")
    func counted() async throws {
        let store = try open()
        let others = [item(9, "x", source: "other")]
        try store.commit(write((1...5).map { item($0, "\($0)") } + others))
        #expect(try await store.handedItems(after: 2, limit: 2).map(\.id) == [3, 4])
        #expect(try await store.handedItems(ofSource: "list") == [1, 2, 3, 4, 5])
        #expect(try await store.handedCount(ofSource: "list") == 5)
        #expect(try await store.unfinishedJobs(ofSource: "list", upTo: 100) == 5)
        #expect(try await store.unfinishedJobs(ofSource: "list", upTo: 2) == 2)
        #expect(try await store.unfinishedJobs(ofSource: "other", upTo: 100) == 1)
    }
}
