import JobModel
import SourceCore
import Testing
import Vocabulary

@testable import SourceEngine

struct PageSelectionTests {
    private func item(_ key: String, url: String? = nil) throws -> PageItem {
        let recipe = Recipe(name: "s", url: try URLTemplate("https://h/list"))
        var listed = ListedItem(url: url ?? "https://h/\(key).jpg")
        listed.key = key
        return try PageItem(listed, of: recipe, at: URLReference("https://h/list"))
    }

    private func known(
        _ url: String? = nil,
        _ code: FailureCode = .http(403),
        path: String? = nil
    ) -> KnownItem {
        KnownItem(
            job: JobID(rawValue: 7),
            trouble: url.map { KnownItem.Trouble(url: $0, code: code) },
            path: path
        )
    }

    @Test("What isn't known becomes a job, once")
    func new() throws {
        let items = try ["a", "b", "a", "c"].map { try item($0) }
        let selection = PageSelection(items, known: [items[1].hash: known()])
        #expect(selection.new.map(\.key) == ["a", "c"])
        #expect(selection.mended.isEmpty)
    }

    @Test("Another URL mends a job that failed for one that has expired, and no other")
    func mended() throws {
        let item = try item("a")
        let rows: [(KnownItem, Bool)] = [
            (known("https://h/old.jpg"), true), (known("https://h/old.jpg", .http(410)), true),
            (known("https://h/a.jpg"), false), (known("https://h/old.jpg", .timedOut), false),
            (known(), false),
        ]
        for (known, isMended) in rows {
            let selection = PageSelection([item], known: [item.hash: known])
            #expect(selection.mended.map(\.url.text) == (isMended ? ["https://h/a.jpg"] : []))
            #expect(selection.new.isEmpty)
        }
    }

    @Test(
        "Another URL of a job that is still to be fetched is noted, and that of one with its document isn't"
    )
    func newer() throws {
        let item = try item("a")
        let rows: [(KnownItem, [String])] = [
            (KnownItem(job: JobID(rawValue: 7), pendingURL: "https://h/old.jpg"), ["https://h/a.jpg"]),
            (KnownItem(job: JobID(rawValue: 7), pendingURL: "https://h/a.jpg"), []),
            (KnownItem(job: JobID(rawValue: 7), path: "/d/a"), []),
            // It waits after a failure of another kind.
            (
                KnownItem(
                    job: JobID(rawValue: 7),
                    trouble: .init(url: "https://h/old.jpg", code: .timedOut),
                    pendingURL: "https://h/old.jpg"
                ), ["https://h/a.jpg"]
            ), (known("https://h/old.jpg"), []),
        ]
        for (known, urls) in rows {
            #expect(PageSelection([item], known: [item.hash: known]).newer.map(\.url.text) == urls)
        }
    }

    @Test("A document that is gone makes its item a job again, where that is asked for")
    func missing() throws {
        let items = [try item("a"), try item("b"), try item("a")]
        let before = [items[0].hash: known(path: "/d/a"), items[1].hash: known(path: "/d/b")]
        #expect(PageSelection(items, known: before).new.isEmpty)
        #expect(PageSelection(items, known: before) { $0 == "/d/a" }.new.map(\.key) == ["a"])
    }
}

struct PageUnderWayTests {
    @Test("A request gives up the page under way, and those that would follow until it is handled")
    func cutShort() async {
        let page = PageUnderWay()
        #expect(await page.run { 1 } == 1)
        let (starts, start) = AsyncStream<Void>.makeStream()
        async let first = page.run {
            start.yield()
            // Ends by cancellation alone.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return 2
        }
        for await _ in starts { break }
        page.cutShort()
        #expect(await first == nil)
        #expect(await page.run { 3 } == nil)
        page.requestIsHandled()
        #expect(await page.run { 4 } == 4)
    }

    @Test("The end of its task gives up the page, too")
    func cancelled() async {
        let page = PageUnderWay()
        let (starts, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            await page.run {
                start.yield()
                for await _ in AsyncStream<Void>.makeStream().stream {}
                return 1
            }
        }
        for await _ in starts { break }
        task.cancel()
        #expect(await task.value == nil)
    }
}
