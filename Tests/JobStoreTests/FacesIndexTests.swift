import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Lists by the number of faces, of more jobs than are looked at one after the other.
struct FacesIndexTests: StoreSuite {
    let directory: TemporaryDirectory
    private let store: JobStore

    private static let count: Int64 = 30_000

    init() throws {
        directory = try TemporaryDirectory()
        store = try JobStore(path: directory.path("facefetch.sqlite"))
        try accept(try (1...Self.count).map(made), into: store)
    }

    /// Every second job has been looked at; many faces are rare, and none are among the first ones.
    private func made(_ number: Int64) throws -> Job {
        var job = try job(number)
        (job.path, job.sha256) = ("/d/\(job.name)", "ee")
        job.state = number % 2 == 0 ? .done : .stored
        guard job.state == .done else { return job }
        let faces = number > 20_000 && number % 1000 == 0 ? 9 : Int(number % 14 / 4)
        job.detection = result(faces, number % 7 == 0 ? .unreadable : .counted)
        return job
    }

    private func result(_ faces: Int, _ outcome: DetectionOutcome) -> DetectionResult {
        DetectionResult(
            outcome: outcome,
            faces: (0..<faces).map { Face(x: $0, y: 1, width: 2, height: 3, confidence: 0.5) },
            engine: "haar"
        )
    }

    private func compare() async throws {
        for (faces, state, batch, text) in [
            (0, nil, nil, nil), (1, nil, nil, nil), (3, .done, nil, nil), (4, nil, nil, nil),
            (9, nil, 1, nil), (9, .done, 1, nil), (1, .stored, nil, nil), (10, nil, nil, nil),
            (1, nil, 2, nil), (2, nil, nil, "77"),
        ] as [(Int, JobState?, Int64?, String?)] {
            var filter = JobFilter(state: state, batch: batch.map(BatchID.init(rawValue:)), text: text)
            filter.minFaces = faces
            for order in [JobOrder.oldest, .newest] {
                let conditions = JobConditions(filter)
                let expected = try await store.database.read { database in
                    try Int64.fetchAll(
                        database,
                        sql: """
                            SELECT id FROM jobs WHERE \(conditions.sql)
                            ORDER BY id \(order == .oldest ? "ASC" : "DESC")
                            """,
                        arguments: StatementArguments(conditions.values)
                    )
                }
                var found: [Int64] = []
                var page: JobPage
                repeat {
                    page = try await store.jobs(
                        filter,
                        order: order,
                        after: found.last.map(JobID.init(rawValue:)),
                        limit: 3000
                    )
                    found += page.items.map(\.id.rawValue)
                    #expect(page.total == (text == nil ? expected.count : nil))
                } while page.hasMore
                #expect(found == expected, "\(filter), \(order)")
            }
        }
    }

    @Test("The index finds what a look at each row finds")
    func finds() async throws {
        try await compare()
        var filter = JobFilter()
        filter.minFaces = 9
        #expect(try await store.jobs(filter, after: nil, limit: 5).total == 8)
    }

    @Test("What has been looked at since, again or not at all is found, or isn't, as it should be")
    func changes() async throws {
        var changes = StoreChanges()
        changes.changedJobs = try (1...200).map { try made(Int64($0) * 100) }
        for index in changes.changedJobs.indices {
            changes.changedJobs[index].state = index % 3 == 0 ? .stored : .done
            changes.changedJobs[index].detection = index % 3 == 0 ? nil : result(index % 12, .counted)
        }
        try store.commit(changes)
        try await compare()
    }
}
