import GRDB
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Tests of what the store keeps of sources, and with which transaction.
struct SourceStoreTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ id: Int64 = 1, name: String? = "list", state: String = "{}") -> SourceWrite {
        SourceWrite(SourceRow(id: id, name: name, recipe: "recipe", state: state))
    }

    private func hash(_ number: Int) -> ItemHash {
        ItemHash(high: UInt64(number), low: .max - UInt64(number))
    }

    /// A page of the source: its jobs, their keys, and where the source stands then.
    private func page(_ numbers: ClosedRange<Int>, batch number: Int64 = 1) throws -> StoreChanges {
        var changes = StoreChanges()
        let ids = JobID(rawValue: Int64(numbers.lowerBound))...JobID(rawValue: Int64(numbers.upperBound))
        changes.newBatches = [
            .init(
                id: BatchID(rawValue: number),
                createdAt: accepted,
                submittedBy: nil,
                jobs: ids,
                isVisible: true
            )
        ]
        changes.newJobs = try numbers.map { try job(Int64($0), batch: number) }
        var write = write(state: "after \(numbers.upperBound)")
        write.firstJob = ids.lowerBound
        write.keys = numbers.enumerated().map { .init(hash: hash($0.element), item: $0.offset) }
        write.page = "page \(number)"
        write.slices = [SliceRow(key: "sol", body: "\(number)")]
        changes.sources = [write]
        return changes
    }

    @Test("A page's jobs, its keys and where the source stands are one transaction")
    func onePage() async throws {
        do {
            let store = try open()
            try store.commit(try page(1...40))
            try store.close()
        }
        let store = try open()
        #expect(
            try await store.sources() == [SourceRow(id: 1, name: "list", recipe: "recipe", state: "after 40")]
        )
        let known = try await store.knownItems((1...41).map(hash), of: 1)
        #expect(known.count == 40)
        #expect((1...40).allSatisfy { known[hash($0)]?.job == JobID(rawValue: Int64($0)) })
        #expect(try await store.knownItems([hash(1)], of: 2).isEmpty)
        #expect(try await store.pages(of: 1) == ["page 1"])
        #expect(try await store.slices(of: 1) == [SliceRow(key: "sol", body: "1")])
        #expect(try await store.hasKeys(source: 1))
        #expect(try await store.lastSource() == 1)
    }

    @Test("What is known of a picture's version is its job's until somebody has asked, and goes with the job")
    func versions() async throws {
        let store = try open()
        var first = try page(1...3)
        first.newJobs[0].url = try JobURL("http://h.example/1.jpg")
        try store.commit(first)
        var done = try job(1)
        (done.state, done.path, done.sha256) = (.done, "/d/1.jpg", "ee")
        (done.validator, done.bytes, done.source) = (.entityTag("\"a\""), 77, "list")
        done.finishedAt = Moment(microseconds: 5_000)
        var changes = StoreChanges()
        changes.changedJobs = [done]
        try store.commit(changes)
        let all = try await store.fetchedItems(of: 1, after: nil, limit: 10)
        #expect(all.map(\.hash) == (1...3).map(hash) && all.map(\.isFetched) == [true, false, false])
        let known = PictureVersion(
            entityTag: "\"a\"",
            length: 77,
            seenAt: SteadyTime(microseconds: 5_000)
        )
        #expect(all[0].version == known && all[0].path == "/d/1.jpg" && !all[0].isFixed)
        #expect(try await store.fetchedItems(of: 1, after: hash(2), limit: 10).map(\.hash) == [hash(3)])
        #expect(try await store.fetchedItems(of: 1, after: hash(1), limit: 1).map(\.hash) == [hash(2)])
        #expect(try await store.fetchedItems(of: 2, after: nil, limit: 10).isEmpty)

        let asked = PictureVersion(
            entityTag: "W/\"a\"",
            lastModified: "Fri, 21 Nov 2025 06:45:03 GMT",
            length: 77,
            seenAt: SteadyTime(microseconds: 6_000)
        )
        var write = write(state: "asked")
        write.checks = [
            .init(hash: hash(1), job: JobID(rawValue: 1), version: asked),
            // Another job by now.
            .init(hash: hash(2), job: JobID(rawValue: 1), version: asked),
        ]
        changes = StoreChanges()
        changes.sources = [write]
        try store.commit(changes)
        #expect(try await store.fetchedItem(hash(1), of: 1)?.version == asked)
        #expect(try await store.fetchedItem(hash(2), of: 1)?.version.entityTag == nil)
        // It was fetched anew, and may be another version.
        done.finishedAt = Moment(microseconds: 7_000)
        changes = StoreChanges()
        changes.changedJobs = [done]
        try store.commit(changes)
        #expect(try await store.fetchedItem(hash(1), of: 1)?.version.entityTag == "\"a\"")

        // Another version is another job, of which nothing is known yet.
        var next = try page(4...4, batch: 2)
        next.sources[0].keys = [.init(hash: hash(1), item: 0)]
        try store.commit(next)
        let item = try await store.fetchedItem(hash(1), of: 1)
        #expect(item?.job == JobID(rawValue: 4) && item?.isFetched == false && item?.version.entityTag == nil)
        #expect(try await store.fetchedItem(hash(9), of: 1) == nil)
    }

    @Test("The weights of what queued jobs came with survive a restart")
    func weights() async throws {
        do {
            let store = try open()
            var changes = try page(1...8)
            for index in 0...5 {
                (changes.newJobs[index].source, changes.newJobs[index].weight) = ("list", 7)
            }
            try store.commit(changes)
            try store.close()
        }
        let store = try open()
        var waiting = WaitingJobs.empty(most: 1)
        _ = try store.storedState(filling: &waiting)
        var order: [Int64] = []
        while let job = waiting.transfers.next() {
            order.append(job.rawValue)
            waiting.transfers.release(job, at: 100_000)
        }
        #expect(order == [1, 7, 2, 3, 4, 5, 6, 8])
        #expect(try await store.job(JobID(rawValue: 1))?.weight == 7)
    }

    @Test("Of a page that can't be written whole nothing is written, and the cursor stays")
    func atomic() async throws {
        let store = try open()
        try store.commit(try page(1...3))
        // The source is good, but a job is not.
        var broken = try page(4...6, batch: 2)
        broken.newJobs[2].state = .done
        #expect(throws: StoreFailure.self) { try store.commit(broken) }
        #expect(try await store.sources().first?.state == "after 3")
        #expect(try await store.knownItems([hash(4)], of: 1).isEmpty)
        #expect(try await store.job(JobID(rawValue: 4)) == nil)
        #expect(try await store.pages(of: 1) == ["page 1"])
        try store.commit(try page(4...6, batch: 2))
        #expect(try await store.knownItems([hash(6)], of: 1)[hash(6)]?.job == JobID(rawValue: 6))
    }

    @Test("A source takes over the name of a row that is left from damage, whose keys are no longer known")
    func takenName() async throws {
        let store = try open()
        try store.commit(try page(1...3))
        var other = StoreChanges()
        other.sources = [write(2)]
        try store.commit(other)
        #expect(try await store.sources().filter { $0.name == "list" }.map(\.id) == [2])
        #expect(try await store.job(JobID(rawValue: 1)) != nil)
    }

    @Test("A known item tells what its job's failure is, and where its document was published")
    func known() async throws {
        let store = try open()
        var changes = try page(1...3)
        changes.newJobs[0].state = .failed
        changes.newJobs[0].failure = JobFailure(.http(403), "expired")
        changes.newJobs[1].state = .stored
        changes.newJobs[1].path = "/documents/2.jpg"
        changes.newJobs[1].sha256 = "aa"
        try store.commit(changes)
        let known = try await store.knownItems((1...3).map(hash), of: 1)
        let trouble = KnownItem.Trouble(url: "https://example.org/1.jpg", code: .http(403))
        #expect(known[hash(1)] == KnownItem(job: JobID(rawValue: 1), trouble: trouble))
        #expect(known[hash(2)] == KnownItem(job: JobID(rawValue: 2), path: "/documents/2.jpg"))
        #expect(
            known[hash(3)] == KnownItem(job: JobID(rawValue: 3), pendingURL: "https://example.org/3.jpg")
        )
        // Forgotten jobs stay known.
        var forgetting = StoreChanges()
        forgetting.forgottenJobs = [JobID(rawValue: 1), JobID(rawValue: 2)]
        try store.commit(forgetting)
        let later = try await store.knownItems((1...3).map(hash), of: 1)
        #expect(later.count == 3 && later[hash(2)] == KnownItem(job: JobID(rawValue: 2)))
        // Fetched again, an item is that of its last job.
        var again = try page(7...7, batch: 2)
        again.sources[0].keys = [.init(hash: hash(2), item: 0)]
        try store.commit(again)
        #expect(try await store.knownItems([hash(2)], of: 1)[hash(2)]?.job == JobID(rawValue: 7))
    }

    @Test("Of the pages that were read, the last hundred are listed, for each source")
    func pages() async throws {
        let store = try open()
        for number in 1...150 {
            var changes = StoreChanges()
            changes.sources = ([1, 2] as [Int64]).map { id in
                var write = write(id, name: "s\(id)")
                write.page = "\(id): \(number)"
                return write
            }
            try store.commit(changes)
        }
        #expect(try await store.pages(of: 1) == (51...150).reversed().map { "1: \($0)" })
        #expect(try await store.pages(of: 2).count == SourceWrite.mostPages)
    }

    @Test("A removed source's name is free at once; its keys go a part at a time, and its jobs stay")
    func removal() async throws {
        let store = try open()
        try store.commit(try page(1...25_000))
        var removal = StoreChanges()
        removal.sources = [write(name: nil)]
        removal.sources[0].forgets = .keys
        try store.commit(removal)
        #expect(try await store.hasKeys(source: 1))
        #expect(try await store.sources().map(\.name) == [nil])
        #expect(try await store.pages(of: 1).isEmpty)
        var namesake = StoreChanges()
        namesake.sources = [write(2)]
        try store.commit(namesake)
        try store.commit(removal)
        #expect(try await store.hasKeys(source: 1) == false)
        #expect(try await store.sources().filter { $0.name == "list" }.map(\.id) == [2])
        #expect(try await store.job(JobID(rawValue: 25_000)) != nil)
    }

    @Test("Slices are forgotten without keys, and keys with slices")
    func forgetting() async throws {
        let store = try open()
        try store.commit(try page(1...3))
        var changes = StoreChanges()
        changes.sources = [write()]
        changes.sources[0].forgets = .slices
        try store.commit(changes)
        #expect(try await store.slices(of: 1).isEmpty)
        #expect(try await store.hasKeys(source: 1))
        changes.sources[0].forgets = .keys
        try store.commit(changes)
        #expect(try await store.hasKeys(source: 1) == false)
        #expect(try await store.sources().count == 1)
    }

    @Test("A source's jobs are counted by state, and those that hold it up only as far as asked")
    func counts() async throws {
        let store = try open()
        var changes = try page(1...9)
        for index in changes.newJobs.indices { changes.newJobs[index].source = "list" }
        changes.newJobs[8].state = .cancelled
        changes.newJobs[7].state = .paused
        try store.commit(changes)
        #expect(try await store.jobsByState(ofSource: "list") == [.queued: 7, .paused: 1, .cancelled: 1])
        #expect(try await store.unfinishedJobs(ofSource: "list", upTo: 100) == 7)
        #expect(try await store.unfinishedJobs(ofSource: "list", upTo: 3) == 3)
        #expect(try await store.cancellableJobs(ofSource: "list").map(\.rawValue) == Array(1...8))
        #expect(try await store.jobsByState(ofSource: "other").isEmpty)
    }
}
