import JobCore
import TestSupport
import Testing

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
        least: Int64? = nil,
        order: DocumentIndex.Order = .newest
    ) async throws -> [Int] {
        let bytes = try await store.documentIndex(filter, facesAtLeast: least, order: order).bytes
        return stride(from: 0, to: bytes.count, by: DocumentIndex.entryLength).map { start in
            (0..<4).reduce(0) { $0 + Int(bytes[start + $1]) << (8 * $1) }
        }
    }

    @Test("it has every document, looked at or not, and nothing that is still on its way")
    func complete() async throws {
        let store = try open()
        try accept([try document(1, faces: 2), try job(2), try document(3, faces: nil)], into: store)
        let index = try await store.documentIndex(JobFilter(), facesAtLeast: nil, order: .newest)
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
        let index = try await store.documentIndex(JobFilter(), facesAtLeast: nil, order: .oldest)
        #expect(stride(from: 6, to: index.bytes.count, by: 8).map { index.bytes[$0] } == [0, 1, 3, 255, 0])
        #expect(try await ids(store, least: 1) == [4, 3, 2])
        #expect(try await ids(store, least: 300) == [4])
        #expect(try await ids(store, least: 0).count == 5)
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

    @Test("what nobody has accepted whole isn't in it")
    func hidden() async throws {
        let store = try open()
        try accept([try document(1, faces: 1), try job(2)], into: store, isVisible: false)
        #expect(try await ids(store).isEmpty)
    }
}
