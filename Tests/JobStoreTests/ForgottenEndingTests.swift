import GRDB
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobStore

/// Tests of what those who follow are told of endings that were forgotten: all that they asked for, and
/// nothing else.
struct ForgottenEndingTests: StoreSuite {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let kinds: [Set<JobEnding>] = [
        [.stored], [.done], [.failed], [.cancelled], JobEnding.final,
    ]

    /// A job 1 that was stored and is done, 2 that failed, 3 that was cancelled, and 4 that is done.
    private func store() throws -> JobStore {
        var jobs = try (1...4).map { try job($0) }
        let endings: [[JobEnding: Int64]] = [
            [.stored: 1, .done: 2], [.failed: 3], [.cancelled: 4], [.stored: 5, .done: 6],
        ]
        let states: [JobState] = [.done, .failed, .cancelled, .done]
        for index in jobs.indices {
            jobs[index].state = states[index]
            for (ending, number) in endings[index] { jobs[index].endings[ending] = number }
            if states[index] == .failed { jobs[index].failure = JobFailure(.timedOut, "slow") }
            if states[index] == .done {
                jobs[index].path = "/d/\(index).jpg"
                jobs[index].sha256 = "ee"
            }
        }
        let store = try open()
        try accept(jobs, into: store)
        return store
    }

    private func forget(_ jobs: [Int64], in store: JobStore) throws {
        var changes = StoreChanges()
        changes.forgottenJobs = jobs.map(JobID.init(rawValue:))
        changes.lastEnding = 6
        try store.commit(changes)
    }

    /// Up to where something was forgotten of each of ``kinds``.
    private func gaps(_ store: JobStore) async throws -> [Int64] {
        var gaps: [Int64] = []
        for kinds in Self.kinds {
            gaps.append(try await store.endings(EndingQuery(kinds, endedAfter: 0, limit: 1)).oldest)
        }
        return gaps
    }

    @Test("Who asks for some kinds of ending is told of no gap where only others were forgotten")
    func kinds() async throws {
        do {
            let store = try store()
            #expect(try await gaps(store) == [0, 0, 0, 0, 0])
            try forget([3], in: store)
            #expect(try await gaps(store) == [0, 0, 0, 4, 4])
            try forget([1, 2], in: store)
            #expect(try await gaps(store) == [1, 2, 3, 4, 4])
            let none = EndingQuery([.done], endedAfter: 0, filter: .init(batch: .init(rawValue: 9)), limit: 1)
            #expect(try await store.endings(none).oldest == 2)
            try store.close()
        }
        let store = try open()
        #expect(try store.storedState().lastEnding == 6)
        #expect(try await gaps(store) == [1, 2, 3, 4, 4], "over restarts")
    }

    @Test(
        "Where it can't be told what was forgotten, all may have been",
        arguments: [
            "UPDATE numbers SET forgotten_failed = 0",
            "UPDATE numbers SET forgotten_failed = 9223372036854775807",
            "UPDATE numbers SET forgotten_failed = -9223372036854775808", "DELETE FROM numbers",
        ]
    )
    func damaged(damage: String) async throws {
        let store = try store()
        try forget([2], in: store)
        try await store.database.write { try $0.execute(sql: damage) }
        let last = 6 + StoredNumbers.leap
        #expect(try store.storedState().lastEnding == last)
        #expect(try await gaps(store) == [last, last, last, last, last])
    }

    @Test("While the daemon runs, that is up to the highest number that is missing")
    func damagedMeanwhile() async throws {
        let store = try store()
        try forget([2], in: store)
        try await store.database.write { try $0.execute(sql: "UPDATE numbers SET forgotten_failed = 0") }
        try forget([1], in: store)
        #expect(try await gaps(store) == [3, 3, 3, 3, 3])
        #expect(try store.storedState().lastEnding == 6)
    }
}
