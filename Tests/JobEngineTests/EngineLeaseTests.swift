import JobCore
import JobModel
import JobStore
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

@Suite("The engine, and batches that somebody has to renew")
struct EngineLeaseTests {
    private let configuration = JobEngineConfiguration(
        transfers: TransferQueue.Limits(total: 2, perHost: 2),
        boot: "boot-1",
        sliceSize: 3
    )
    private let batch = BatchID(rawValue: 1)

    private func submit(_ harness: EngineHarness, _ count: Int = 5, lease: Int? = 20) throws {
        let items = try (1...count).map { NewJob(url: try JobURL("http://example.org/\($0).jpg")) }
        let answer = Answer<AcceptedBatch>()
        try harness.turn(
            .submit(Submission(items: items, submittedBy: nil, lease: lease), reply: answer.give)
        )
        while answer.value == nil { try harness.turn() }
        #expect(try answer.value?.get().batch.lease == lease)
    }

    private func renew(_ harness: EngineHarness, seconds: Int? = nil) throws -> ControlError? {
        let answer = Answer<Void>()
        try harness.turn(.renew(batch, seconds: seconds, reply: answer.give))
        if case .failure(let error) = answer.value { return error }
        #expect(answer.value != nil)
        return nil
    }

    private func pass(_ harness: EngineHarness, _ seconds: Double) throws {
        harness.now = harness.now.adding(seconds: seconds)
        for _ in 0..<5 { try harness.turn() }
    }

    private func states(_ harness: EngineHarness) -> [JobState: Int] { harness.core.status.jobsByState }

    @Test("Its jobs pause when it isn't renewed, whatever they are at, and go on when it is")
    func lapses() throws {
        let harness = try EngineHarness(configuration)
        try submit(harness)
        #expect(states(harness) == [.queued: 5])
        for _ in 0..<3 {
            try pass(harness, 15)
            #expect(try renew(harness) == nil)
        }
        #expect(states(harness) == [.downloading: 2, .queued: 3])
        let wake = try #require(try harness.turn())
        #expect(wake.seconds(since: harness.now) <= 20)
        try pass(harness, 20)
        #expect(states(harness) == [.paused: 5])
        #expect(Set(harness.outside.all.stopped.map(\.rawValue)) == [1, 2])
        for job in 1...2 as ClosedRange<Int64> { try harness.report(job, .ended(.stopped)) }
        #expect(harness.outside.all.started.count == 2)
        #expect(try renew(harness) == nil)
        try pass(harness, 0)
        #expect(states(harness) == [.downloading: 2, .queued: 3] && harness.outside.all.started.count == 4)
    }

    @Test("After a start nothing goes on before it is renewed")
    func restarts() throws {
        let harness = try EngineHarness(configuration)
        try submit(harness)
        try harness.download(1)
        try harness.untilWritten()
        for _ in 0..<2 {
            try harness.restart()
            try pass(harness, 0)
            #expect(harness.outside.all.started.isEmpty)
            #expect(states(harness)[.paused] == 4 && states(harness)[.queued] == nil)
        }
        #expect(try harness.stored(2)?.isHeld == true)
        #expect(try renew(harness) == nil)
        try pass(harness, 0)
        #expect(harness.outside.all.started.count == 2 && states(harness)[.paused] == nil)
    }

    @Test(
        "The lease of a batch whose jobs have ended isn't taken up, and is there again for a job that somebody retries",
        arguments: [true, false]
    )
    func ended(isRestarted: Bool) throws {
        let harness = try EngineHarness(configuration)
        try submit(harness)
        for job in 1...5 as ClosedRange<Int64> { _ = try harness.steer(.cancel, job).get() }
        for job in 1...2 as ClosedRange<Int64> { try harness.report(job, .ended(.stopped)) }
        #expect(harness.core.bench.leases.count == 1)
        if isRestarted { try harness.restart() } else { try pass(harness, 30) }
        #expect(harness.core.bench.leases.count == 0 && harness.core.bulkCount == 0)
        let begun = harness.outside.all.started.count
        let retried = try harness.steer(.retry(url: nil), 3).get()
        #expect(retried.state == .paused && retried.isHeld, "nobody has renewed it")
        #expect(harness.outside.all.started.count == begun && harness.core.bench.leases.count == 1)
        #expect(try renew(harness) == nil)
        try pass(harness, 0)
        #expect(try harness.stored(3)?.state != .paused && harness.outside.all.started.count == begun + 1)
        try pass(harness, 30)
        #expect(states(harness)[.paused] == 1)
    }

    @Test("Who renews a batch whose jobs have ended has renewed it for those that are retried then")
    func renewedWhenEnded() throws {
        let harness = try EngineHarness(configuration)
        try submit(harness, 1)
        _ = try harness.steer(.cancel, 1).get()
        try harness.report(1, .ended(.stopped))
        try harness.restart()
        #expect(try renew(harness) == nil)
        #expect(try harness.steer(.retry(url: nil), 1).get().state == .queued)
        #expect(harness.outside.all.started.count == 1)
    }

    @Test(
        "After a start, batches that are to be gone through share turns, and those that have ended cost none"
    )
    func manyAtStart() throws {
        let harness = try EngineHarness(configuration)
        for _ in 1...30 { try submit(harness, 2) }
        let open = JobID(rawValue: 31)
        for job in try harness.store.jobIDs(in: JobState.allCases) where job != open {
            _ = try harness.steer(.cancel, job.rawValue).get()
        }
        #expect(harness.core.bench.leases.count == 30)
        try harness.restart()
        #expect(harness.core.bench.leases.count == 1)
        try pass(harness, 0)
        #expect(harness.core.bulkCount == 0)
        #expect(states(harness) == [.cancelled: 59, .paused: 1])
    }

    @Test("What a person has paused stays so, and nobody queues a job of a lapsed batch")
    func persons() throws {
        let harness = try EngineHarness(configuration)
        try submit(harness)
        _ = try harness.steer(.pause, 5).get()
        _ = try harness.steer(.cancel, 4).get()
        #expect(try renew(harness, seconds: 0) == nil)
        try pass(harness, 0)
        for job in 1...2 as ClosedRange<Int64> { try harness.report(job, .ended(.stopped)) }
        guard case .failure(.notPossible(_, .paused, let reason)) = try harness.steer(.resume, 3) else {
            Issue.record("it goes on")
            return
        }
        #expect(reason.contains("lease"))
        let retried = try harness.steer(.retry(url: nil), 4).get()
        #expect(retried.state == .paused && retried.isHeld)
        #expect(try harness.steer(.resume, 5).get().isHeld)
        _ = try harness.steer(.pause, 5)
        #expect(harness.outside.all.started.count == 2)
        #expect(try renew(harness, seconds: 30) == nil)
        try pass(harness, 0)
        #expect(states(harness) == [.downloading: 2, .queued: 2, .paused: 1])
        #expect(try harness.stored(5)?.state == .paused)
    }

    /// When a retry comes, compared with the end of its batch's lease.
    enum RetryTime: String, CaseIterable {
        case inTheTurnBefore, inTheSameTurn, beforeItsJobsAreListed, afterwards
    }

    @Test(
        "A job that is retried as the lease of its batch lapses is held, whichever comes first",
        arguments: RetryTime.allCases,
        [true, false]
    )
    func retriedWhileLapsing(time: RetryTime, isOneOfMany: Bool) throws {
        let harness = try EngineHarness(configuration)
        try submit(harness, 2)
        for job in 1...2 as ClosedRange<Int64> { _ = try harness.steer(.cancel, job).get() }
        for job in 1...2 as ClosedRange<Int64> { try harness.report(job, .ended(.stopped)) }
        try pass(harness, 19)
        // Commits are as near to each other as turns are, so that several turns share one.
        let lapse = try #require(harness.core.bench.leases.lapsesAt)
        let (one, many) = (Answer<Job>(), Answer<Int>())
        func turn(_ milliseconds: Double, retries: Bool) throws {
            var inputs: [EngineInput] = []
            if retries, isOneOfMany {
                inputs = [.steerMany(.retry(url: nil), [JobID(rawValue: 2)], reply: many.give)]
            } else if retries {
                inputs = [.steer(.retry(url: nil), JobID(rawValue: 2), reply: one.give)]
            }
            harness.now = lapse.adding(seconds: milliseconds / 1000)
            _ = try harness.core.turn(inputs, now: harness.now)
        }
        for (number, moment) in [-1, 0, 1, 2].enumerated() {
            let place = RetryTime.allCases[number]
            try turn(Double(moment), retries: place == time)
        }
        try pass(harness, 1)
        #expect(try harness.stored(2)?.state == .paused && harness.stored(2)?.isHeld == true)
        // Only that one had begun.
        if time == .inTheTurnBefore { try harness.report(2, .ended(.stopped)) }
        #expect(try renew(harness) == nil)
        try pass(harness, 0)
        #expect(try harness.stored(2)?.state == .downloading)
    }

    @Test("Jobs that are being retried as the lease lapses are held, also before the store knows of them")
    func manyRetriedWhileLapsing() throws {
        let harness = try EngineHarness(configuration)
        try submit(harness, 20)
        for job in 1...20 as ClosedRange<Int64> { _ = try harness.steer(.cancel, job).get() }
        for job in 1...2 as ClosedRange<Int64> { try harness.report(job, .ended(.stopped)) }
        try pass(harness, 19)
        let begun = harness.outside.all.started.count
        let lapse = try #require(harness.core.bench.leases.lapsesAt)
        func turn(_ milliseconds: Double, _ inputs: EngineInput...) throws {
            harness.now = lapse.adding(seconds: milliseconds / 1000)
            _ = try harness.core.turn(inputs, now: harness.now)
        }
        // What is decided in the next few milliseconds is written later.
        try turn(-3, .setGate(open: false, reply: { _ in }))
        let jobs = (1...20).map { JobID(rawValue: $0) }
        try turn(-2, .steerMany(.retry(url: nil), jobs, reply: { _ in }))
        #expect(harness.core.bench.ledger.isChanged(jobs[0]))
        try turn(0)
        try turn(1)
        try turn(2)
        for _ in 0..<3 { try pass(harness, 1) }
        #expect(states(harness) == [.paused: 20])
        for request in harness.outside.all.started[begun...] {
            try harness.report(request.job.rawValue, .ended(.stopped))
        }
        #expect(try renew(harness) == nil)
        for _ in 0..<3 { try pass(harness, 0) }
        #expect(states(harness) == [.downloading: 2, .queued: 18])
    }

    @Test("A batch without a lease needs none, and has none to renew")
    func none() throws {
        let harness = try EngineHarness(configuration)
        try submit(harness, lease: nil)
        #expect(try renew(harness) == .noLease(batch))
        try pass(harness, 86_400)
        #expect(states(harness) == [.downloading: 2, .queued: 3])
    }

    @Test("A document is removed on request, if it is what was stored, and the answer waits for that")
    func removal() throws {
        let harness = try EngineHarness(configuration)
        try submit(harness)
        try harness.download(1)
        try harness.download(2)
        for job in 1...2 as ClosedRange<Int64> { _ = try harness.steer(.cancel, job).get() }
        for (job, report) in [(Int64(1), StorageReport.removed), (2, .notRemoved)] {
            let answer = Answer<Job>()
            try harness.turn(.removeDocument(JobID(rawValue: job), reply: answer.give))
            #expect(harness.outside.all.removed.last?.rawValue == job && answer.value == nil)
            try harness.report(job, report)
            switch answer.value {
            case .success(let after): #expect(report == .removed && after.path == nil)
            case .failure(let error):
                guard case .notPossible = error else { throw error }
                #expect(report == .notRemoved)
                #expect(try harness.stored(job)?.path == "/d/2.jpg")
            case nil: Issue.record("no answer")
            }
        }
        let answer = Answer<Job>()
        try harness.turn(.removeDocument(JobID(rawValue: 3), reply: answer.give))
        #expect(throws: ControlError.self) { try answer.value?.get() }
    }
}
