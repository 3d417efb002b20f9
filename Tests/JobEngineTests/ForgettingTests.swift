import EngineSupport
import GRDB
import JobModel
import Testing
import Vocabulary

@testable import JobEngine
@testable import JobStore

/// Jobs that are forgotten, and what stays of them: their numbers, which nobody else gets.
struct ForgettingTests {
    private func forget(_ jobs: [Int64], _ harness: EngineHarness) throws -> ForgottenJobs {
        let answer = Answer<ForgottenJobs>()
        try harness.turn(.forget(jobs.map(JobID.init(rawValue:)), reply: answer.give))
        for _ in 0..<100 where answer.value == nil { try harness.turn() }
        return try #require(answer.value).get()
    }

    private func harness(_ batches: Int...) throws -> EngineHarness {
        let harness = try EngineHarness(
            JobEngineConfiguration(transfers: .init(total: 2, perHost: 2), sliceSize: 3)
        )
        for count in batches {
            _ = try harness.submit(
                (1...count).map { "http://example.org/\($0).jpg" },
                key: .init(key: "k\(count)", bodyDigest: "d")
            )
        }
        return harness
    }

    private func rows(_ harness: EngineHarness) throws -> [Int64] {
        try harness.store.real.database.read {
            try Int64.fetchAll($0, sql: "SELECT id FROM jobs ORDER BY id")
        }
    }

    @Test("What has ended goes, and what is under way stays, in the store and in all numbers")
    func forgets() async throws {
        let harness = try harness(6)
        for job in [1, 2, 4, 5] as [Int64] { _ = try harness.steer(.cancel, job) }
        try harness.report(1, .ended(.stopped))
        try harness.report(2, .ended(.stopped))
        #expect(try forget([1, 2, 3, 4, 99, 4], harness) == ForgottenJobs(forgotten: 3, kept: 1))
        #expect(try rows(harness) == [3, 5, 6])
        #expect(harness.core.status.jobsByState.values.reduce(0, +) == 3)
        let batch = try #require(try await harness.store.real.batch(BatchID(rawValue: 1)))
        #expect(batch.jobCount == 3 && batch.jobsByState.values.reduce(0, +) == 3)
        #expect(try await harness.store.real.jobIDs(of: batch.id).map(\.rawValue) == [3, 5, 6])
        #expect(try harness.steer(.retry(url: nil), 1) == .failure(.noSuchJob(JobID(rawValue: 1))))
        let before = harness.core.status.jobsByState
        try harness.restart()
        #expect(harness.core.status.jobsByState == before, "a start finds nothing to set right")
        #expect(try rows(harness) == [3, 5, 6])
    }

    @Test("A job whose transfer is still being stopped is under way")
    func stopping() throws {
        let harness = try harness(1)
        _ = try harness.steer(.cancel, 1)
        #expect(try forget([1], harness) == ForgottenJobs(forgotten: 0, kept: 1))
        try harness.report(1, .ended(.stopped))
        #expect(try forget([1], harness) == ForgottenJobs(forgotten: 1, kept: 0))
        #expect(try rows(harness).isEmpty)
    }

    @Test("A failed job's partial goes with it, a document stays")
    func files() throws {
        let harness = try harness(2)
        try harness.download(1)
        try harness.turn(.detected(JobID(rawValue: 1), DetectionResult(outcome: .counted, engine: "haar")))
        try harness.report(2, .ended(.refused(JobFailure(.connectFailed, "nobody answers"))))
        harness.outside.change { $0.discarded = [] }
        #expect(try forget([1, 2], harness).forgotten == 2)
        #expect(harness.outside.all.discarded.map(\.rawValue) == [2])
    }

    @Test("Whoever keeps something of a document hears that its job is forgotten, once that is durable")
    func contents() throws {
        let harness = try harness(3)
        try harness.download(1, content: "aa")
        try harness.download(2, content: "aa")
        for job in [1, 2] as [Int64] {
            try harness.turn(
                .detected(JobID(rawValue: job), DetectionResult(outcome: .counted, engine: "haar"))
            )
        }
        _ = try harness.steer(.cancel, 3)
        harness.store.fail(with: .outOfSpace)
        try harness.turn(.forget([JobID(rawValue: 1)], reply: Answer<ForgottenJobs>().give))
        #expect(harness.outside.all.forgottenContents.isEmpty)
        harness.store.fail(with: nil)
        try harness.restart()
        #expect(try forget([1, 2], harness).forgotten == 2)
        #expect(harness.outside.all.forgottenContents == ["aa", "aa"])
    }

    @Test("Who steers a job in the very turn that forgets it finds none")
    func sameTurn() throws {
        let harness = try harness(3)
        _ = try harness.steer(.cancel, 3)
        let forgotten = Answer<ForgottenJobs>()
        try harness.turn(.forget([JobID(rawValue: 3)], reply: forgotten.give))
        let again = Answer<ForgottenJobs>()
        let retried = Answer<Job>()
        try harness.turn(
            .forget([JobID(rawValue: 3)], reply: again.give),
            .steer(.retry(url: nil), JobID(rawValue: 3), reply: retried.give)
        )
        #expect(try forgotten.value?.get() == ForgottenJobs(forgotten: 1))
        #expect(try again.value?.get() == ForgottenJobs())
        #expect(retried.value == .failure(.noSuchJob(JobID(rawValue: 3))))
    }

    @Test("No number is given twice: not of a job, not of a batch, and not of an ending")
    func numbers() async throws {
        let harness = try harness(2, 1)
        for job in [1, 2, 3] as [Int64] { _ = try harness.steer(.cancel, job) }
        for job in [1, 2] as [Int64] { try harness.report(job, .ended(.stopped)) }
        let last = try #require(try harness.stored(3)?.ended)
        // Job 3 gets a permit when those of 1 and 2 are back, if it isn't cancelled by then.
        #expect(try forget([1, 2, 3], harness).forgotten == 3)
        #expect(try await harness.store.real.batches(after: nil, limit: 10).items.isEmpty)
        let page = try await harness.store.real.endings(EndingQuery(endedAfter: 0, limit: 10))
        #expect(page.items.isEmpty && page.oldest == last, "who is behind that has missed something")
        try harness.restart()
        let batch = try harness.submit(["http://example.org/a.jpg"], key: .init(key: "k2", bodyDigest: "d"))
            .get()
        #expect(batch.batch.id.rawValue == 3, "the key went with its batch")
        #expect(batch.jobs.map(\.rawValue) == [4])
        _ = try harness.steer(.cancel, 4)
        #expect(try #require(try harness.stored(4)?.ended) > last)
    }

    @Test("Batches whose jobs take turns keep what is theirs")
    func interleaved() async throws {
        let harness = try EngineHarness(
            JobEngineConfiguration(transfers: .init(total: 1, perHost: 1), sliceSize: 2)
        )
        let answers = [Answer<AcceptedBatch>(), Answer<AcceptedBatch>()]
        for answer in answers {
            let items = try (1...5).map { NewJob(url: try JobURL("http://example.org/\($0).jpg")) }
            try harness.turn(.submit(Submission(items: items, submittedBy: nil), reply: answer.give))
        }
        while harness.core.isTakingIn { try harness.turn() }
        // Job 1 has the permit.
        for job in [2, 5, 6, 10] as [Int64] { _ = try harness.steer(.cancel, job) }
        #expect(try forget([2, 5, 6, 10], harness).forgotten == 4)
        for id in [1, 2] as [Int64] {
            let batch = try #require(try await harness.store.real.batch(BatchID(rawValue: id)))
            #expect(batch.jobCount == 3 && batch.jobsByState.values.reduce(0, +) == 3)
        }
        try harness.restart()
        try harness.untilWritten()
        #expect(harness.core.status.jobsByState == [.queued: 5, .downloading: 1])
    }

    @Test("With the disk full nothing is forgotten that would not stay so")
    func fullDisk() throws {
        let harness = try harness(3)
        _ = try harness.steer(.cancel, 3)
        harness.store.fail(with: .outOfSpace)
        let answer = Answer<ForgottenJobs>()
        try harness.turn(.forget([JobID(rawValue: 3)], reply: answer.give))
        #expect(answer.value == .failure(.outOfSpace))
        #expect(try rows(harness) == [1, 2, 3])
        harness.store.fail(with: nil)
        try harness.restart()
        #expect(try rows(harness) == [1, 2, 3])
    }

    @Test("A store is known by an id of its own, which stays, and which no damage makes empty")
    func identity() async throws {
        let harness = try harness(1)
        let first = harness.core.status.store
        #expect(first.utf8.count == 32)
        try harness.restart()
        #expect(harness.core.status.store == first)
        #expect(try EngineHarness().core.status.store != first)
        try await harness.store.real.database.write { try $0.execute(sql: "DELETE FROM identity") }
        try harness.restart()
        #expect(harness.core.status.store.utf8.count == 32 && harness.core.status.store != first)
    }

    @Test("Steering some jobs changes those for which it makes sense")
    func steersMany() throws {
        let harness = try harness(8)
        _ = try harness.steer(.cancel, 4)
        let answer = Answer<Int>()
        let jobs = [2, 3, 4, 5, 99].map { JobID(rawValue: $0) }
        try harness.turn(.steerMany(.pause, jobs, reply: answer.give))
        for _ in 0..<10 where answer.value == nil { try harness.turn() }
        #expect(try answer.value?.get() == 3)
        #expect(
            try (1...8).map { try harness.stored($0)?.state == .paused } == [
                false, true, true, false, true, false, false, false,
            ]
        )
    }
}
