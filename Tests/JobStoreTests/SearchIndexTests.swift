import Foundation
import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Searches through more jobs than are looked at one after the other.
struct SearchIndexTests: StoreSuite {
    let directory: TemporaryDirectory
    private let store: JobStore

    private static let count: Int64 = 30_000
    private static let texts = [
        "29999", "1777", "e", "/", "PICTURE", "café", "fÉ", "é", "needle", "hunter2", "ann:***@", "%", "_",
        "example.org/7",
        "\u{7F}", "a\nb", "nothing of the kind", "renamed",
    ]

    init() throws {
        directory = try TemporaryDirectory()
        store = try JobStore(path: directory.path("facefetch.sqlite"))
        try accept(try (1...Self.count).map(made), into: store)
    }

    private func made(_ number: Int64) throws -> Job {
        var job = try job(number)
        switch number {
        case 27_000: job.name = "Needle in a café.jpg"
        case 28_000: job.url = try JobURL("https://ann:hunter2@example.org/7.jpg")
        case let number where number % 3 == 0: job.name = "picture_\(number * 7919 % 100_003).jpg"
        default: break
        }
        if number % 5 == 0 { job.state = .paused }
        return job
    }

    /// The ids that a scan of all rows finds.
    private func scanned(_ filter: JobFilter, _ order: JobOrder) async throws -> [Int64] {
        let conditions = JobConditions(filter)
        return try await store.database.read {
            try Self.ids(conditions, order == .oldest ? "ASC" : "DESC", $0)
        }
    }

    private static func ids(
        _ conditions: JobConditions,
        _ direction: String,
        _ database: Database
    ) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: "SELECT id FROM jobs WHERE \(conditions.sql) ORDER BY id \(direction)",
            arguments: StatementArguments(conditions.values)
        )
    }

    /// The ids of all pages of a search.
    private func found(_ filter: JobFilter, _ order: JobOrder, limit: Int) async throws -> [Int64] {
        var ids: [Int64] = []
        var page: JobPage
        repeat {
            let after = ids.last.map(JobID.init(rawValue:))
            page = try await store.jobs(filter, order: order, after: after, limit: limit)
            #expect(page.items.count == limit || !page.hasMore && page.items.count < limit)
            ids += page.items.map(\.id.rawValue)
        } while page.hasMore
        return ids
    }

    private func compare(_ texts: [String] = Self.texts, isIndexed: Bool = true) async throws {
        for text in texts {
            for (state, order) in [
                (JobState?.none, JobOrder.oldest), (nil, .newest), (.queued, .oldest), (.paused, .newest),
            ] {
                let filter = JobFilter(state: state, text: text)
                let ids = try await scanned(filter, order)
                let limit = max(100, ids.count / 3)
                #expect(try await found(filter, order, limit: limit) == ids, "\(text), \(order)")
            }
        }
        #expect(store.search.isBuilt == isIndexed)
    }

    @Test("The index finds what a look at each row finds")
    func finds() async throws {
        try await compare()
        // SQL's texts could end there.
        for text in ["\0", "e\0"] {
            #expect(try await found(JobFilter(text: text), .oldest, limit: 100).isEmpty)
        }
    }

    @Test("Whoever asks once the store has been closed gets an error")
    func closed() async throws {
        try store.close()
        for filter in [JobFilter(text: "needle"), JobFilter(state: .queued), JobFilter()] {
            await #expect(throws: (any Error).self) { try await store.jobs(filter, after: nil, limit: 1) }
        }
        await store.search.build()
        #expect(!store.search.isBuilt)
    }

    @Test("One of the two readers is enough to make the index")
    func oneReader() async throws {
        try store.indexReader.close()
        try await compare(["needle", "29999"])
    }

    @Test("What is new, renamed or forgotten since the index was made is found, or isn't, as it should be")
    func changes() async throws {
        try await compare(["needle"])
        var changes = StoreChanges()
        changes.newBatches = [batch(2, jobs: 1, isVisible: false)]
        changes.newBatches[0].jobs = JobID(rawValue: Self.count + 1)...JobID(rawValue: Self.count + 6000)
        changes.newJobs = try (1...5000).map { try job(Self.count + $0, batch: 2) }
        changes.newJobs[17].name = "another needle.jpg"
        changes.changedJobs = try ([3, 21_000, 25_000] as [Int64]).map {
            var job = try made($0)
            job.name = "Renamed \($0).jpg"
            return job
        }
        try store.commit(changes)
        try await compare()
        changes = StoreChanges()
        changes.newJobs = try (5001...6000).map { try job(Self.count + $0, batch: 2) }
        changes.revealedBatches = [BatchID(rawValue: 2)]
        changes.changedJobs = [try made(27_000)]
        changes.changedJobs[0].name = "no longer there.jpg"
        try store.commit(changes)
        try await compare()
        #expect(try await found(JobFilter(text: "needle"), .oldest, limit: 10) == [Self.count + 18])
    }

    @Test("Documents are found by the index, too")
    func documents() async throws {
        var changes = StoreChanges()
        changes.changedJobs = try ([9, 27_000] as [Int64]).map {
            var job = try made($0)
            job.state = .stored
            job.path = "/documents/\(job.name)"
            job.sha256 = String(repeating: "0", count: 64)
            return job
        }
        try store.commit(changes)
        for text in ["needle", "picture", "e"] {
            let index = try await store.documentIndex(JobFilter(text: text), order: .oldest, limit: nil)
            let jobs = try await scanned(JobFilter(text: text), .oldest).filter { [9, 27_000].contains($0) }
            #expect(index.bytes.count == jobs.count * DocumentIndex.entryLength)
        }
        #expect(store.search.isBuilt)
    }

    @Test("Where no index can be made, each row is looked at")
    func withoutFile() async throws {
        // The store's files are open; the index's, which is made later, has no folder any more.
        let folder = (directory.path("x") as NSString).deletingLastPathComponent
        try FileManager.default.moveItem(atPath: folder, toPath: folder + "-moved")
        defer { try? FileManager.default.moveItem(atPath: folder + "-moved", toPath: folder) }
        try await compare(["needle", "e"], isIndexed: false)
    }

    @Test("A list of very many jobs has the index made, for a search that follows, and one of few has not")
    func prepared() async throws {
        _ = try await store.jobs(JobFilter(state: .paused), after: nil, limit: 10)
        _ = try await store.jobs(JobFilter(), after: JobID(rawValue: 5), limit: 10)
        _ = try await store.documentIndex(JobFilter(), order: .oldest, limit: nil)
        await store.search.underWay.withLock { $0 }?.value
        #expect(!store.search.isBuilt)
        _ = try await store.jobs(JobFilter(), after: nil, limit: 10)
        await store.search.underWay.withLock { $0 }?.value
        #expect(store.search.isBuilt)
        try await compare(["needle"])
    }

    @Test("Many who search at once wait for one index")
    func together() async throws {
        let store = store
        try await withThrowingTaskGroup(of: [Int64].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await store.jobs(JobFilter(text: "needle"), after: nil, limit: 10).items.map(
                        \.id.rawValue
                    )
                }
            }
            for try await ids in group { #expect(ids == [27_000]) }
        }
        #expect(store.search.isBuilt)
    }
}

/// Sets of jobs.
struct JobBitmapTests {
    @Test("Jobs come in order from a range, whatever container they are in")
    func first() {
        let ids: [Int64] = [1, 63, 64, 65_535, 65_536, 1 << 40, (1 << 52) - 1]
        var bitmap = JobBitmap()
        for id in ids.shuffled() + [64] { bitmap.insert(id) }
        #expect(bitmap.count == ids.count)
        #expect(bitmap.first(9, from: 1, through: .max, .oldest) == ids)
        #expect(bitmap.first(9, from: 1, through: .max, .newest) == ids.reversed())
        #expect(bitmap.first(2, from: 64, through: .max, .oldest) == [64, 65_535])
        #expect(bitmap.first(2, from: 2, through: 65_535, .newest) == [65_535, 64])
        #expect(bitmap.first(2, from: 66, through: 70, .oldest).isEmpty)
        #expect(bitmap.first(2, from: 70, through: 66, .oldest).isEmpty)
        var other = JobBitmap()
        for id in [64, 66, 1 << 40] as [Int64] { other.insert(id) }
        bitmap.formIntersection(other)
        #expect(bitmap.first(9, from: 1, through: .max, .oldest) == [64, 1 << 40])
        bitmap.formUnion(other)
        #expect(bitmap.count == 3)
    }
}
