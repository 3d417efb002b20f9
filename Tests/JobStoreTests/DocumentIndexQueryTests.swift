import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

@Suite("The index of documents, from the store")
struct DocumentIndexQueryTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func document(_ id: Int64, name: String? = nil, faces: Int?) throws -> Job {
        var job = try job(id)
        if let name { job.name = name }
        job.state = faces == nil ? .stored : .done
        job.path = "/documents/\(job.name)"
        job.sha256 = String(repeating: "a", count: 64)
        if let faces {
            job.detection = DetectionResult(
                outcome: .counted,
                faces: (0..<faces).map { Face(x: $0, y: 0, width: 9, height: 9, confidence: 1.5) },
                picture: SeenPicture(width: 400, height: 200, orientation: 1, format: "jpeg"),
                engine: "haar",
                parameters: "p"
            )
        }
        return job
    }

    private func ids(
        _ store: JobStore,
        _ filter: JobFilter = JobFilter(),
        order: DocumentIndex.Order = .newest,
        limit: Int? = nil
    ) async throws -> [Int] {
        let bytes = try await store.documentIndex(filter, order: order, limit: limit).bytes
        return stride(from: 0, to: bytes.count, by: DocumentIndex.entryLength).map { start in
            (0..<4).reduce(0) { $0 + Int(bytes[start + $1]) << (8 * $1) }
        }
    }

    @Test("it has every document, looked at or not, and nothing that is still on its way")
    func complete() async throws {
        let store = try open()
        try accept([try document(1, faces: 2), try job(2), try document(3, faces: nil)], into: store)
        let index = try await store.documentIndex(JobFilter(), order: .newest, limit: nil)
        #expect(index.bytes == [3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0xD0, 0x07, 2, 1])
    }

    @Test("no, one and many faces are told apart, and narrow it")
    func faces() async throws {
        let store = try open()
        let counts = [0, 1, 3, 300]
        try accept(
            try counts.enumerated().map { try document(Int64($0.offset + 1), faces: $0.element) }
                + [try document(5, faces: nil)],
            into: store
        )
        let index = try await store.documentIndex(JobFilter(), order: .oldest, limit: nil)
        #expect(stride(from: 6, to: index.bytes.count, by: 8).map { index.bytes[$0] } == [0, 1, 3, 255, 0])
        func atLeast(_ count: Int) -> JobFilter {
            var filter = JobFilter()
            filter.minFaces = count
            return filter
        }
        #expect(try await ids(store, atLeast(1)) == [4, 3, 2])
        #expect(try await ids(store, atLeast(300)) == [4])
        // As in a list of jobs: a document in which nobody has counted faces doesn't have 0 of them.
        #expect(try await ids(store, atLeast(0)) == [4, 3, 2, 1])
    }

    @Test("it is ordered as asked for, and filtered as the jobs are")
    func orders() async throws {
        let store = try open()
        try accept(
            [
                try document(1, name: "b.jpg", faces: 1), try document(2, name: "A.jpg", faces: 5),
                try document(3, name: "c.jpg", faces: nil),
            ],
            into: store
        )
        #expect(try await ids(store) == [3, 2, 1])
        #expect(try await ids(store, order: .oldest) == [1, 2, 3])
        #expect(try await ids(store, order: .name) == [2, 1, 3])
        #expect(try await ids(store, order: .faces) == [2, 1, 3])
        #expect(try await ids(store, JobFilter(text: "a.jpg"), order: .name) == [2])
        #expect(try await ids(store, JobFilter(state: .stored)) == [3])
        #expect(try await ids(store, JobFilter(batch: BatchID(rawValue: 1))).count == 3)
        #expect(try await ids(store, JobFilter(batch: BatchID(rawValue: 2))).isEmpty)
    }

    @Test("newest and oldest go by when documents were stored, not by their jobs' ids")
    func storedOrder() async throws {
        let store = try open()
        var jobs = try (1...4).map { try document($0, faces: $0 == 3 ? 2 : 1) }
        for (place, number) in [30, 10, 40, 20].enumerated() { jobs[place].endings[.stored] = Int64(number) }
        try accept(jobs, into: store)
        #expect(try await ids(store) == [3, 1, 4, 2])
        #expect(try await ids(store, order: .oldest) == [2, 4, 1, 3])
        #expect(try await ids(store, order: .faces) == [3, 1, 4, 2])
    }

    @Test("the first documents of it are those that the whole begins with", arguments: 1...5)
    func first(_ limit: Int) async throws {
        let store = try open()
        var jobs = try (1...5).map { try document($0, faces: Int($0) % 3) }
        // Two are damaged: nothing says when they were stored.
        for (place, number) in [30, nil, 40, nil, 20].enumerated() {
            jobs[place].endings[.stored] = number.map { Int64($0) }
        }
        jobs[0].source = "nasa"
        try accept(jobs, into: store)
        #expect(try await ids(store) == [3, 1, 5, 4, 2])
        for order in DocumentIndex.Order.allCases {
            let whole = try await ids(store, order: order)
            #expect(try await ids(store, order: order, limit: limit) == Array(whole.prefix(limit)))
        }
        var filter = JobFilter()
        filter.source = "nasa"
        #expect(try await ids(store, filter, limit: limit) == [1])
    }

    @Test("it is narrowed by source and meta, and tells which documents have meta")
    func sourceAndMeta() async throws {
        let store = try open()
        var jobs = try (1...3).map { try document($0, faces: nil) }
        jobs[0].source = "nasa"
        jobs[0].meta = try JobMeta(json: #"{"licence":"CC0"}"#.utf8)
        jobs[1].source = "nasa"
        jobs[2].meta = try JobMeta(json: #"{"licence":"CC0","year":1969}"#.utf8)
        try accept(jobs, into: store)
        var filter = JobFilter()
        filter.source = "nasa"
        #expect(try await ids(store, filter) == [2, 1])
        filter.meta = [.init(key: "licence", value: "CC0")]
        #expect(try await ids(store, filter) == [1])
        filter.source = nil
        #expect(try await ids(store, filter) == [3, 1])
        filter.meta.append(.init(key: "year", value: "1969"))
        #expect(try await ids(store, filter) == [3])
        let flags = try await store.documentIndex(JobFilter(), order: .oldest, limit: nil).bytes
        #expect(stride(from: 7, to: flags.count, by: 8).map { flags[$0] } == [4, 0, 4])
    }

    @Test(
        "times are those of the answers; documents without one have the time of their batch",
        arguments: [nil, 3]
    )
    func times(limit: Int?) async throws {
        let store = try open()
        var jobs = try (1...3).map { try document($0, faces: 1) }
        for (place, second) in [nil, 86_400, 172_800].enumerated() {
            jobs[place].endings[.stored] = Int64(place + 1)
            // Looking once more has ended them long after.
            jobs[place].finishedAt = jobs[place].createdAt
            jobs[place].response = second.map {
                ServerResponse(
                    finalURL: nil,
                    status: 200,
                    receivedAt: Timestamp(stored: Int64($0) * 1_000_000)
                )
            }
        }
        try accept(jobs, into: store)
        let index = try await store.documentIndex(JobFilter(), order: .newest, limit: limit, hasTimes: true)
        let times = stride(from: 8, to: index.bytes.count, by: 12).map { start in
            (0..<4).reduce(0) { $0 + Int64(index.bytes[start + $1]) << (8 * $1) }
        }
        #expect(times == [172_800, 86_400, jobs[0].createdAt.wall.microseconds / 1_000_000])
    }

    @Test("what nobody has accepted whole isn't in it")
    func hidden() async throws {
        let store = try open()
        try accept([try document(1, faces: 1), try job(2)], into: store, isVisible: false)
        #expect(try await ids(store).isEmpty)
    }
}
