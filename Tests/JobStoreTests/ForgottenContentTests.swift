import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

@Suite("Contents that no document has any more")
struct ForgottenContentTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func job(_ id: Int64, _ state: JobState, _ content: String?, isLookedAt: Bool) throws -> Job {
        var job = try job(id)
        job.state = state
        job.sha256 = content
        if state != .downloading { job.path = "/documents/\(id).jpg" }
        if isLookedAt {
            job.detection = DetectionResult(outcome: .counted, engine: "haar", parameters: "p")
        }
        return job
    }

    @Test("A content stays known as long as one document has it, whatever its job is doing")
    func shared() async throws {
        let store = try open()
        try accept(
            [
                try job(1, .done, "a", isLookedAt: true), try job(2, .done, "a", isLookedAt: true),
                try job(3, .done, "b", isLookedAt: true), try job(4, .stored, "b", isLookedAt: false),
                try job(5, .done, "c", isLookedAt: true), try job(6, .cancelled, "c", isLookedAt: false),
                try job(7, .detecting, "d", isLookedAt: true),
                try job(8, .downloading, "e", isLookedAt: false),
            ],
            into: store
        )
        let contents: Set<String> = ["a", "b", "c", "d", "e", "f"]
        // Nobody can look at a file that is on its way.
        #expect(try await store.contentsOfNoDocument(among: contents) == ["e", "f"])
        try forget([1, 3, 5], in: store)
        #expect(try await store.contentsOfNoDocument(among: contents) == ["e", "f"])
        try forget([2, 4, 6, 7], in: store)
        #expect(try await store.contentsOfNoDocument(among: contents) == contents)
    }

    private func forget(_ jobs: [Int64], in store: JobStore) throws {
        var changes = StoreChanges()
        changes.forgottenJobs = jobs.map(JobID.init(rawValue:))
        try store.commit(changes)
    }
}
