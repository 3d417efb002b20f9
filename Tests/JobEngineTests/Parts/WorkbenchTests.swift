import JobModel
import Synchronization
import Testing

@testable import JobEngine

/// Tests of what the engine says of what can't have happened.
struct WorkbenchTests {
    @Test("What can't have happened is said once, changes nothing, and things go on")
    func impossible() throws {
        let said = Mutex<[String]>([])
        let harness = try EngineHarness { words in said.withLock { $0.append(words) } }
        _ = try harness.submit((1...3).map { "http://example.org/\($0).jpg" })
        let before = try harness.stored(2)
        for job: Int64 in [2, 3, 2] { try harness.report(job, .published(path: "/d/\(job).jpg")) }
        #expect(
            said.withLock { $0 } == [
                "j2: storage.published can't happen to a job that is downloading, with a transfer under way"
            ]
        )
        #expect(try harness.stored(2) == before)
        try harness.report(2, .nameTaken(freeName: "b.jpg"))
        #expect(said.withLock(\.count) == 2, "another thing is said as well")
        try harness.download(2)
        #expect(try harness.stored(2)?.state == .detecting)
    }
}
