import EngineSupport
import GRDB
import JobModel
import Testing
import Vocabulary

@testable import JobEngine
@testable import JobStore

/// Numbers of what jobs came to, as a follower sees them.
struct EngineEndingTests {
    /// Reads on from a number as a follower does, by small pages.
    private func follow(_ harness: EngineHarness, from cursor: inout Int64) async throws -> [(Int64, String)]
    {
        var seen: [(Int64, String)] = []
        while true {
            let query = EndingQuery(Set(JobEnding.allCases), endedAfter: cursor, limit: 3)
            let page = try await harness.store.real.endings(query)
            seen += page.items.map { ($0.number, "\($0.ending) j\($0.job.id.rawValue)") }
            cursor = page.items.last?.number ?? cursor
            if !page.hasMore { return seen }
        }
    }

    private func urls(_ count: Int) -> [String] { (1...count).map { "http://example.org/\($0).jpg" } }

    @Test(
        "What a job comes to gets a number in the transaction that brings it, and loses it while under way again"
    )
    func numbers() async throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(3))
        try harness.download(1)
        try harness.turn(.detected(JobID(rawValue: 1), DetectionResult(outcome: .counted, engine: "haar")))
        try harness.report(2, .ended(.refused(JobFailure(.connectFailed, "nobody answers"))))
        _ = try harness.steer(.cancel, 3)
        var cursor: Int64 = 0
        #expect(
            try await follow(harness, from: &cursor).map(\.1) == [
                "stored j1", "done j1", "failed j2", "cancelled j3",
            ]
        )
        let again = try harness.steer(.retry(url: nil), 2).get()
        #expect(again.ended == nil && again.ending == nil)
        #expect(try harness.steer(.detect(), 1).get().ended == nil)
        try harness.turn(.detected(JobID(rawValue: 1), DetectionResult(outcome: .counted, engine: "haar")))
        #expect(try await follow(harness, from: &cursor).map(\.1) == ["done j1"])
        #expect(try harness.stored(1)?.ended == cursor)
        #expect(try harness.stored(1)?.endings[.stored] == 1, "it was stored once")
    }

    @Test("What a crash took back is given again, and nothing that was seen", arguments: 1...8)
    func crashes(seed: UInt64) async throws {
        let harness = try EngineHarness(JobEngineConfiguration(transfers: .init(total: 50, perHost: 50)))
        _ = try harness.submit(urls(40))
        var cursor: Int64 = 0
        var seen: [(Int64, String)] = []
        for job in 1...40 as ClosedRange<Int64> {
            let isLost = (UInt64(job) &* seed) % 5 == 0
            // What is decided now never becomes durable: the daemon ends before its disk has room again.
            if isLost { harness.store.fail(with: .outOfSpace) }
            switch (UInt64(job) &+ seed) % 3 {
            case 0: _ = try harness.steer(.cancel, job)
            case 1: try harness.report(job, .ended(.refused(JobFailure(.connectFailed, "nobody answers"))))
            default: if !isLost { try harness.download(job) }
            }
            if isLost {
                seen += try await follow(harness, from: &cursor)
                harness.store.fail(with: nil)
                try harness.restart()
            }
            if job % 7 == 0 { seen += try await follow(harness, from: &cursor) }
        }
        try harness.restart()
        _ = try harness.steer(.cancel, 40)
        seen += try await follow(harness, from: &cursor)
        #expect(seen.map(\.0) == seen.map(\.0).sorted())
        #expect(Set(seen.map(\.0)).count == seen.count, "no number came twice")
        var first: Int64 = 0
        let whole = try await follow(harness, from: &first)
        #expect(Set(whole.map(\.1)).isSubset(of: Set(seen.map(\.1))), "nothing was missed")
        for job in 1...40 as ClosedRange<Int64> {
            guard let stored = try harness.stored(job), let ended = stored.ended else { continue }
            #expect(seen.contains { $0.0 == ended }, "\(stored.state) of job \(job)")
        }
    }

    @Test("A job whose row makes no sense has failed, and those who follow are told")
    func broken() async throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(2))
        _ = try harness.steer(.cancel, 1)
        try await harness.store.real.database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try database.execute(sql: "UPDATE jobs SET state = 'nonsense' WHERE id = 2")
            try database.execute(sql: "PRAGMA ignore_check_constraints = OFF")
        }
        try harness.restart()
        var cursor: Int64 = 0
        #expect(try await follow(harness, from: &cursor).map(\.1) == ["cancelled j1", "failed j2"])
    }
}
