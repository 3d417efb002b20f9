import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Among few jobs, and among more than are looked at without a pause.
@Suite("URLs that jobs have already")
struct KnownURLTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let many = 25_000

    private func made(_ number: Int64) throws -> Job {
        var job = try job(number)
        switch number {
        case 2: job.url = try JobURL("https://ann:hunter2@example.org/2.jpg")
        case 3:
            (job.state, job.failure, job.finishedAt) = (.failed, JobFailure(.http(404), "gone"), accepted)
        case 4: (job.state, job.finishedAt) = (.cancelled, accepted)
        case 5: (job.state, job.path, job.sha256, job.finishedAt) = (.done, "/d/5.jpg", "ab", accepted)
        case 6: job.url = try JobURL("https://example.org/A%20b?x=%C3%9C")
        // One that failed, and was added again.
        case 7: job.url = try JobURL("https://example.org/3.jpg")
        case 8: job.url = try JobURL("https://example.org/4.jpg")
        case 9:
            (job.state, job.finishedAt, job.url) = (
                .cancelled, accepted, try JobURL("https://example.org/5.jpg")
            )
        default: break
        }
        if number == 7 { job.state = .paused }
        if number == 8 {
            (job.state, job.failure, job.finishedAt) = (.failed, JobFailure(.http(404), "gone"), accepted)
        }
        return job
    }

    private func known(_ store: JobStore, _ urls: [String]) async throws -> [String] {
        let found = try await store.known(try urls.map { try JobURL($0) })
        return found.sorted().map { urls[$0] }
    }

    @Test("are known unless their jobs have failed or were cancelled", arguments: [20, many])
    func states(count: Int) async throws {
        let store = try open()
        try accept(try (1...Int64(count)).map(made), into: store)
        let urls = [
            "https://example.org/1.jpg", "https://example.org/3.jpg", "https://example.org/5.jpg",
            "https://example.org/A%20b?x=%C3%9C", "https://ann:hunter2@example.org/2.jpg",
            "https://example.org/\(count).jpg",
        ]
        #expect(try await known(store, urls) == urls)
        let others = [
            // The same for who searches, and to people, and another URL.
            "https://ann:other@example.org/2.jpg", "https://example.org/a%20b?x=%C3%9C",
            "https://example.org/2.jpg",
            "https://example.org/4.jpg", "https://example.org/\(count + 1).jpg", "http://example.org/1.jpg",
            "https://example.org/1.jpg?", "https://example.org/1",
        ]
        #expect(try await known(store, others) == [])
        #expect(try await known(store, [others[0], urls[1], others[1], urls[0]]) == [urls[1], urls[0]])
        #expect(try await known(store, []) == [])
    }

    @Test(
        "are known as soon as they are added or changed, and no more when forgotten",
        arguments: [20, many]
    )
    func changes(count: Int) async throws {
        let store = try open()
        try accept(try (1...Int64(count)).map(made), into: store)
        let new = "https://example.org/new.jpg"
        #expect(try await known(store, [new]) == [])
        var changed = try made(10)
        changed.url = try JobURL(new)
        var changes = StoreChanges()
        changes.changedJobs = [changed]
        try store.commit(changes)
        #expect(try await known(store, [new, "https://example.org/10.jpg"]) == [new])
        let later = JobID(rawValue: Int64(count) + 1)
        changes = StoreChanges()
        changes.newBatches = [
            .init(
                id: BatchID(rawValue: 2),
                createdAt: accepted,
                submittedBy: nil,
                jobs: later...later,
                isVisible: false
            )
        ]
        changes.newJobs = [try job(later.rawValue, batch: 2)]
        try store.commit(changes)
        // Nobody may see it yet, and it may never be seen.
        #expect(try await known(store, ["https://example.org/\(later.rawValue).jpg"]) == [])
        changes = StoreChanges()
        changes.revealedBatches = [BatchID(rawValue: 2)]
        try store.commit(changes)
        #expect(try await known(store, ["https://example.org/\(later.rawValue).jpg"]).count == 1)
        changes = StoreChanges()
        changes.forgottenJobs = [JobID(rawValue: 5)]
        try store.commit(changes)
        #expect(try await known(store, ["https://example.org/5.jpg"]) == [])
    }

    @Test("are found by the hundred thousand, each once")
    func all() async throws {
        let store = try open()
        try accept(try (1...Int64(Self.many)).map { try job($0) }, into: store)
        let urls = try (1...100_000).map { try JobURL("https://example.org/\($0).jpg") }
        #expect(try await store.known(urls) == Set(0..<Self.many))
    }

    @Test("The answer to a batch of which nothing was new is kept for its user, and the oldest ones go")
    func emptyAnswers() async throws {
        let store = try open()
        let answer = StoreChanges.EmptyAnswer(idempotencyKey: "k", submittedBy: 7, bodyDigest: "d", known: 3)
        var changes = StoreChanges()
        changes.emptyAnswers = [answer]
        #expect(!changes.isEmpty)
        try store.commit(changes)
        #expect(try await store.emptyAnswer(idempotencyKey: "k", of: 7) == answer)
        #expect(try await store.emptyAnswer(idempotencyKey: "k", of: 8) == nil)
        #expect(try await store.emptyAnswer(idempotencyKey: "k", of: nil) == nil)
        changes.emptyAnswers = (1...Int(JobStore.mostEmptyAnswers)).map {
            .init(idempotencyKey: "k\($0)", submittedBy: 7, bodyDigest: "d", known: 3)
        }
        try store.commit(changes)
        #expect(try await store.emptyAnswer(idempotencyKey: "k", of: 7) == nil)
        #expect(try await store.emptyAnswer(idempotencyKey: "k1", of: 7)?.known == 3)
    }

    @Test("A batch says how many were left out, also when it is asked for again")
    func batches() async throws {
        let store = try open()
        var changes = StoreChanges()
        var batch = batch(jobs: 1, key: "k")
        batch.known = 97
        changes.newBatches = [batch]
        changes.newJobs = [try job(1)]
        try store.commit(changes)
        #expect(try await store.batch(BatchID(rawValue: 1))?.known == 97)
        #expect(try store.acceptedBatch(idempotencyKey: "k", of: 1000)?.batch.known == 97)
    }
}
