import JobModel
import JobStore
import TestSupport
import Testing
import Vocabulary

@Suite("Looking for a text in names and URLs")
struct TextSearchTests {
    private let directory: TemporaryDirectory
    private let store: JobStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try JobStore(path: directory.path("facefetch.sqlite"))
        let jobs = [
            ("https://example.org/Holiday_1.jpg", "Holiday_1.jpg"),
            ("https://ann:hunter2@example.org/b.jpg", "b.jpg"),
            ("http://cdn.example.com/100%25.jpg", "100%.jpg"),
            ("http://cdn.example.com/x.jpg", "Fl\u{E9}malle.jpg"),
        ]
        var changes = StoreChanges()
        changes.newBatches = [
            .init(
                id: BatchID(rawValue: 1),
                createdAt: Moment(microseconds: 0),
                submittedBy: nil,
                jobs: JobID(rawValue: 1)...JobID(rawValue: Int64(jobs.count)),
                isVisible: true,
                idempotencyKey: nil,
                bodyDigest: nil
            )
        ]
        changes.newJobs = try jobs.enumerated().map { index, job in
            Job(
                id: JobID(rawValue: Int64(index + 1)),
                batch: BatchID(rawValue: 1),
                createdAt: Moment(microseconds: 0),
                url: try JobURL(job.0),
                name: job.1
            )
        }
        try store.commit(changes)
    }

    private func find(_ text: String, after: Int64 = 0, limit: Int = 10) async throws -> JobPage {
        try await store.jobs(JobFilter(text: text), after: JobID(rawValue: after), limit: limit)
    }

    @Test(
        "names and URLs are searched, case makes no difference, and nothing stands for anything else",
        arguments: [
            ("holiday", [1]), ("HOLIDAY_1", [1]), ("example.org", [1, 2]), ("cdn.", [3, 4]),
            ("Fl\u{E9}m", [4]),
            ("%.jpg", [3]), ("_", [1]), ("\\", []), ("https://ann:***@", [2]), ("nothing", []),
        ]
    )
    func finds(text: String, ids: [Int64]) async throws {
        let page = try await find(text)
        #expect(page.items.map(\.id.rawValue) == ids && page.total == nil && !page.hasMore)
    }

    @Test("a password is never found, nor any part of it", arguments: ["hunter2", "hunter", "ann:h"])
    func password(text: String) async throws {
        let page = try await find(text)
        #expect(page.items.isEmpty && page.total == nil)
    }

    @Test("what is found comes in pages")
    func pages() async throws {
        let first = try await find(".jpg", limit: 3)
        #expect(first.items.map(\.id.rawValue) == [1, 2, 3] && first.hasMore && first.total == nil)
        let second = try await find(".jpg", after: 3, limit: 3)
        #expect(second.items.map(\.id.rawValue) == [4] && !second.hasMore)
    }
}
