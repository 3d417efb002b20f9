import Foundation
import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Searches through more jobs than are looked at one after the other.
struct TextIndexTests: StoreSuite {
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

    private func compare(_ texts: [String] = Self.texts) async throws {
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
    }

    @Test("Many may search at once")
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
    }
}

/// The index of texts itself.
struct TextIndexRuleTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("The index has each URL as people see it")
    func shownURLs() throws {
        let pieces = [
            "user", "user:pw@", "@", ":", ":@", "u@v:w@x@", "8080", "/", "?", "#", "%", "%40", "%2F", "[::1]",
            "a",
            ".", "\u{E9}", " ", "&", "=", "***", "127.0.0.1", "example.org", "/@2x.png", "?mail=a:b@c",
        ]
        var generator = SeededGenerator(seed: 20_261_127)
        var urls: [String] = []
        for _ in 0..<20_000 {
            let words = (0..<Int.random(in: 1...6, using: &generator)).compactMap { _ in
                pieces.randomElement(using: &generator)
            }
            let scheme = Bool.random(using: &generator) ? "http://" : "https://"
            if let url = try? JobURL(scheme + words.joined()) { urls.append(url.text) }
        }
        let masked = try urls.map { try JobURL($0).masked }
        #expect(zip(urls, masked).count { $0 != $1 } > 1000)
        try DatabaseQueue().write { database in
            let statement = try database.cachedStatement(
                sql: "SELECT \(TextIndex.shownURL) FROM (SELECT ? AS url)"
            )
            for (url, masked) in zip(urls, masked) {
                let shown = try String.fetchOne(statement, arguments: [url])
                #expect(shown == masked, "\(url)")
            }
        }
    }

    @Test("A search reads texts from the index alone", arguments: [TextIndex.search, TextIndex.urls])
    func readsIndexAlone(query: String) async throws {
        let store = try open()
        try await store.database.read { database in
            let table = try Int.fetchOne(
                database,
                sql: "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = 'jobs'"
            )
            let plan = try Row.fetchAll(database, sql: "EXPLAIN \(query.replacing(/\?\d/, with: "1"))")
            let cursors = plan.filter { $0["opcode"] == "OpenRead" && $0["p2"] == table }
            for cursor in cursors {
                let number: Int = cursor["p1"]
                #expect(!plan.contains { $0["opcode"] == "Column" && $0["p1"] == number })
            }
            #expect(plan.contains { $0["opcode"] == "Column" })
        }
    }

    @Test("Statements about ids don't go by way of the index")
    func otherPlans() async throws {
        for statement in [
            "UPDATE jobs SET state = 'paused' WHERE id BETWEEN 1 AND 9", "DELETE FROM jobs WHERE id = 1",
            "SELECT id, name FROM jobs WHERE id > 1 ORDER BY id LIMIT 9",
        ] {
            let plan = try await open().database.read { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(statement)").map {
                    $0["detail"] as String
                }
            }
            #expect(plan.contains { $0.contains("INTEGER PRIMARY KEY") }, "\(statement): \(plan)")
        }
    }

    @Test("What is kept of jobs goes with them")
    func forgotten() async throws {
        let store = try JobStore(path: directory.path("facefetch.sqlite"))
        var jobs = try (1...25_000).map { try job($0) }
        jobs[24_000].name = "needle.jpg"
        jobs[24_001].url = try JobURL("https://ann:hunter2@example.org/needle")
        try accept(jobs, into: store)
        let found = try await store.jobs(JobFilter(text: "needle"), after: nil, limit: 10)
        #expect(found.items.map(\.id.rawValue) == [24_001, 24_002])
        #expect(try await store.jobs(JobFilter(text: "hunter2"), after: nil, limit: 10).items.isEmpty)
        #expect(try await texts(store, like: "%hunter2%") == 0)
        var changes = StoreChanges()
        changes.forgottenJobs = [JobID(rawValue: 24_002)]
        try store.commit(changes)
        #expect(try await texts(store, like: "%ann:***@%") == 0)
        #expect(try await texts(store, like: "%") == 24_999)
    }

    /// The number of entries of the index that match a pattern.
    private func texts(_ store: JobStore, like pattern: String) async throws -> Int? {
        try await store.database.read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM jobs INDEXED BY jobs_by_text
                    WHERE id > 0 AND \(TextIndex.shownURL) LIKE ?
                    """,
                arguments: [pattern]
            )
        }
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
    }
}
