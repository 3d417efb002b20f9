import Foundation
import GRDB
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Queries for documents that look alike, and the blocks by which they are found.
struct LikenessQueryTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A document with a fingerprint.
    private func document(_ id: Int64, _ bits: UInt64, sha256: String? = nil) throws -> Job {
        var job = try job(id)
        (job.state, job.path) = (.done, "/d/\(id).jpg")
        let digits = String(id)
        job.sha256 = sha256 ?? String(repeating: "0", count: 64 - digits.count) + digits
        job.detection = DetectionResult(
            outcome: .counted,
            picture: SeenPicture(width: 30, height: 40, orientation: 1, format: "jpeg"),
            engine: "haar",
            parameters: "p"
        )
        job.detection?.picture?.fingerprint = Fingerprint(bits: bits)
        job.endings[.done] = id
        return job
    }

    private func similar(
        _ store: JobStore,
        to id: Int64,
        _ distance: Int = 6,
        limit: Int = 10
    ) async throws -> [[Int64]] {
        let job = try #require(try await store.job(JobID(rawValue: id)))
        let found = try await store.similar(to: job, distance: distance, limit: limit)
        return found.items.map { [$0.job.id.rawValue, Int64($0.distance)] }
    }

    private func blocks(_ store: JobStore) async throws -> [Int64: UInt64] {
        try await store.database.read { database in
            var found: [Int64: UInt64] = [:]
            try FingerprintBlocks.forEach(database) { found[$0] = $1 }
            return found
        }
    }

    @Test("The most alike come first, and of those the oldest; those with the same content are alike anyway")
    func nearest() async throws {
        let store = try open()
        let same = String(repeating: "a", count: 64)
        var twin = try document(6, 1)
        twin.detection?.picture?.fingerprint = nil
        twin.sha256 = same
        try accept(
            [
                try document(1, 0b1111, sha256: same), try document(2, 0b1110), try document(3, 0b1000),
                try document(4, 0b0111), try document(5, .max), twin, try document(7, 0b1111, sha256: same),
            ],
            into: store
        )
        #expect(try await similar(store, to: 1) == [[6, 0], [7, 0], [2, 1], [4, 1], [3, 3]])
        #expect(try await similar(store, to: 1, 2) == [[6, 0], [7, 0], [2, 1], [4, 1]])
        #expect(try await similar(store, to: 1, 0) == [[6, 0], [7, 0]])
        #expect(try await similar(store, to: 6) == [[1, 0], [7, 0]])
        let job = try #require(try await store.job(JobID(rawValue: 1)))
        let few = try await store.similar(to: job, distance: 6, limit: 2)
        #expect(few.items.map(\.job.id.rawValue) == [6, 7] && few.total == 5)
        // Nobody counts twice who is found by content and by fingerprint, remembered or not.
        let first = try await store.similar(to: job, distance: 6, limit: 1)
        #expect(first.items.map(\.job.id.rawValue) == [6] && first.total == 5)
    }

    @Test("A document that is gone, forgotten, or has another fingerprint is found no more")
    func changes() async throws {
        let store = try open()
        var jobs = try (1...4).map { try document($0, 0xF0) } + [try document(5, 0xF1)]
        try accept(jobs, into: store)
        #expect(try await similar(store, to: 1).map { $0[0] } == [2, 3, 4, 5])
        var changes = StoreChanges()
        jobs[1].path = nil
        jobs[1].evictedAt = accepted.wall
        jobs[2].detection?.picture?.fingerprint = Fingerprint(bits: .max)
        changes.changedJobs = [jobs[1], jobs[2]]
        changes.forgottenJobs = [jobs[3].id]
        try store.commit(changes)
        #expect(try await similar(store, to: 1) == [[5, 1]])
        #expect(try await blocks(store) == [1: 0xF0, 3: .max, 5: 0xF1])
        // Looked at again by something that makes none.
        jobs[4].detection?.picture?.fingerprint = nil
        changes = StoreChanges()
        changes.changedJobs = [jobs[4]]
        try store.commit(changes)
        #expect(try await similar(store, to: 1) == [])
        #expect(try await open().job(JobID(rawValue: 1))?.fingerprint?.bits == 0xF0)
    }

    @Test("That there is too little in a picture for a fingerprint is remembered, and is like nothing")
    func flat() async throws {
        let store = try open()
        var jobs = try (1...2).map { try document($0, 0) }
        try accept(jobs, into: store)
        for (place, bits) in [(0, nil), (1, nil), (1, 7)] as [(Int, UInt64?)] {
            jobs[place].detection?.picture?.fingerprint = bits.flatMap { Fingerprint(bits: $0) }
            jobs[place].detection?.picture?.isFlat = bits == nil
            var changes = StoreChanges()
            changes.changedJobs = [jobs[place]]
            try store.commit(changes)
            #expect(try await open().job(jobs[place].id) == jobs[place])
        }
        #expect(try await blocks(store) == [2: 7])
        #expect(try await similar(store, to: 1, 16) == [])
        #expect(try await similar(store, to: 2, 16) == [])
    }

    @Test("What a failed transaction would have written isn't found")
    func failed() async throws {
        let store = try open()
        var jobs = try (1...2).map { try document($0, 0xF0) }
        try accept(jobs, into: store)
        jobs[0].detection?.picture?.fingerprint = Fingerprint(bits: 7)
        jobs[1].priority = 1000
        var changes = StoreChanges()
        changes.changedJobs = jobs
        #expect(throws: StoreFailure.self) { try store.commit(changes) }
        #expect(try await blocks(store) == [1: 0xF0, 2: 0xF0])
    }

    @Test("Blocks hold the fingerprints of all ids, and one that is damaged costs its own alone")
    func damage() async throws {
        let store = try open()
        let ids: [Int64] = [1, 499, 500, 501, 999, 1000, 1_000_000]
        try await store.database.write { database in
            let all = ids.map { ($0, Fingerprint(bits: UInt64($0))) }
            try FingerprintBlocks.write(Dictionary(uniqueKeysWithValues: all), database)
        }
        #expect(try await blocks(store) == Dictionary(uniqueKeysWithValues: ids.map { ($0, UInt64($0)) }))
        for bits in ["x''", "x'01'", "zeroblob(5000)"] {
            try await store.database.write {
                try $0.execute(sql: "UPDATE fingerprints SET bits = \(bits) WHERE block = 1")
            }
            #expect(try await blocks(store).keys.sorted() == [1, 499, 1000, 1_000_000])
        }
        try await store.database.write { try FingerprintBlocks.write([501: Fingerprint(bits: 9)], $0) }
        #expect(try await blocks(store)[501] == 9)
        // Of a job without a row, or whose row knows better, nothing is told.
        try accept([try document(1, 1)], into: store)
        #expect(try await similar(store, to: 1, 16) == [])
    }

    @Test("Those that are compared are the documents that are there, let through by a filter")
    func documents() async throws {
        let store = try open()
        var gone = try document(3, 5)
        (gone.path, gone.evictedAt) = (nil, accepted.wall)
        var plain = try document(4, 1)
        plain.detection = nil
        plain.state = .stored
        plain.endings = JobEndings()
        try accept(
            [try document(1, 0xF0), try document(2, 0xF1), gone, plain, try document(5, 0xF3), try job(6)],
            into: store
        )
        #expect(try await store.likenessDocuments(JobFilter(), endedAfter: nil).jobs == [1, 2, 4, 5])
        #expect(try await store.likenessDocuments(JobFilter(), endedAfter: 2).jobs == [5])
        #expect(try await store.likenessDocuments(JobFilter(text: "2.jpg"), endedAfter: nil).jobs == [2])
        let other = JobFilter(batch: BatchID(rawValue: 9))
        #expect(try await store.likenessDocuments(other, endedAfter: nil).jobs == [])
        let groups = try LikenessGroups.find(
            try await store.likenessDocuments(JobFilter(), endedAfter: nil),
            distance: 1
        )
        #expect(groups.count == 1 && Array(groups[0]) == [0, 1, 3])
    }
}
