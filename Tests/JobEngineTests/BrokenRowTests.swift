import GRDB
import JobModel
import Testing
import Vocabulary

@testable import JobEngine
@testable import JobStore

/// A row of the store that can't be read costs its own job, and never the daemon.
struct BrokenRowTests {
    private func submit(_ count: Int, to harness: EngineHarness) throws {
        _ = try harness.submit((1...count).map { "http://example.org/\($0).jpg" })
    }

    private func change(_ job: Int64, _ assignments: String, in harness: EngineHarness) throws {
        try harness.store.real.database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try database.execute(sql: "UPDATE jobs SET \(assignments) WHERE id = \(job)")
            try database.execute(sql: "PRAGMA ignore_check_constraints = OFF")
        }
    }

    @Test(
        "A job whose URL can't be read fails when its turn comes, and says so once; the others go on",
        arguments: [1, 3, 9]
    )
    func unreadableURL(job: Int64) throws {
        let harness = try EngineHarness()
        try submit(10, to: harness)
        try harness.untilWritten()
        try change(job, "url = 'no URL: s3cret'", in: harness)
        try harness.restart()
        for other: Int64 in 1...10 where other != job { try harness.download(other) }
        let failed = try #require(try harness.stored(job))
        #expect(failed.state == .failed)
        #expect(failed.failure?.code == .storageError)
        let lines = harness.outside.lines.filter { $0.contains("failed download") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("unreadable:url: storage_error, ") == true)
        #expect(!harness.outside.lines.contains { $0.contains("s3cret") })
        #expect(harness.core.status.jobsByState[.failed] == 1)
        #expect(harness.outside.all.started.count == 9)
        try harness.restart()
        #expect(harness.outside.lines.filter { $0.contains("failed download") }.isEmpty, "said once")
    }

    @Test("A job whose URL can't be read goes on under another; without one it is not tried again")
    func anotherURL() throws {
        let harness = try EngineHarness()
        try submit(1, to: harness)
        try harness.untilWritten()
        try change(1, "url = '', headers = 'Authorization:secret'", in: harness)
        try harness.restart()
        #expect(throws: ControlError.self) { try harness.steer(.retry(url: nil), 1).get() }
        let url = try JobURL("http://example.org/1.jpg")
        #expect(try harness.steer(.retry(url: url), 1).get().failure == nil)
        #expect(harness.outside.all.started.map(\.url) == [url])
        #expect(harness.outside.all.started.first?.headers == [], "whose they were, nobody knows")
    }

    @Test("Of a document that is stored nobody needs the URL: it is published and looked at all the same")
    func storedDocument() throws {
        let harness = try EngineHarness()
        try submit(1, to: harness)
        try harness.download(1)
        try change(1, "url = '//'", in: harness)
        try harness.restart()
        try harness.turn(.detected(JobID(rawValue: 1), DetectionResult(outcome: .counted)))
        #expect(try harness.stored(1)?.state == .done)
        #expect(try harness.steer(.detect(), 1).get().state != .failed)
    }

    @Test("A job of no known state has failed after the next start, which says so once")
    func unknownState() throws {
        let harness = try EngineHarness()
        try submit(3, to: harness)
        try harness.untilWritten()
        try change(2, "state = 'nonsense', priority = 1000", in: harness)
        try harness.restart()
        #expect(harness.core.status.jobsByState == [.downloading: 2, .failed: 1])
        #expect(try harness.stored(2)?.failure?.code == .storageError)
        #expect(harness.outside.lines.filter { $0.contains("failed download") }.count == 1)
        #expect(try harness.steer(.retry(url: nil), 2).get().failure == nil)
        try harness.untilWritten()
        #expect(harness.core.status.jobsByState == [.downloading: 3])
        try harness.restart()
        #expect(harness.outside.lines.filter { $0.contains("failed download") }.isEmpty)
    }
}
