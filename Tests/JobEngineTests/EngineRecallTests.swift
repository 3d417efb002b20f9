import EngineSupport
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of requests in hand that go back: for something else, or since their jobs are stopped.
@Suite("The engine, and requests in hand")
struct EngineRecallTests {
    /// An engine with one transfer at a time, the third of eight, and two requests in hand behind it.
    private func harness() throws -> EngineHarness {
        let harness = try EngineHarness(
            JobEngineConfiguration(transfers: TransferQueue.Limits(total: 4, perHost: 1, ahead: 2))
        )
        _ = try harness.submit((1...8).map { "http://example.org/\($0).jpg" })
        try harness.download(1)
        try harness.download(2)
        #expect(started(harness) == [1, 2, 3, 4, 5])
        // Nothing could be kept of it, so it doesn't give way.
        try harness.report(
            3,
            .began(TransferStart(mode: .fresh, offset: 0, total: 1 << 20, validator: nil)),
            .progressed(bytes: 1 << 19)
        )
        return harness
    }

    private func started(_ harness: EngineHarness) -> [Int64] {
        harness.outside.all.started.map(\.job.rawValue)
    }

    private func recalled(_ harness: EngineHarness) -> [Int64] {
        harness.outside.all.recalled.map(\.rawValue)
    }

    private func look(_ harness: EngineHarness, at jobs: [Int64]) throws {
        let client = Attention.Client(user: 1000, name: "tab")
        let answer = Answer<Void>()
        let visible = jobs.map(JobID.init(rawValue:))
        try harness.turn(.attend(client, visible: visible, near: [], reply: answer.give))
        try #require(answer.value).get()
    }

    /// Has the transfer thread give back what is in hand.
    private func giveBack(_ harness: EngineHarness, _ jobs: Int64...) throws {
        try harness.turn(.transfers(jobs.map { (JobID(rawValue: $0), .ended(.unsent)) }))
    }

    private func finish(_ harness: EngineHarness, _ job: Int64) throws {
        try harness.report(job, .ended(.completed(length: 1 << 20, lengthProven: true)))
    }

    @Test("What somebody looks at is begun first, and the others follow, without a try that counts")
    func attention() throws {
        let harness = try harness()
        try look(harness, at: [8])
        #expect(recalled(harness) == [3, 4, 5], "only the transfer thread knows which of them wait")
        try giveBack(harness, 4, 5)
        try harness.untilWritten()
        #expect(recalled(harness) == [3, 4, 5], "they are asked for once")
        for job in [4, 5] as [Int64] {
            let stored = try #require(try harness.stored(job))
            #expect(stored.state == .queued && stored.attempts == 0 && stored.fruitlessTries == 0)
        }
        #expect(started(harness) == [1, 2, 3, 4, 5])
        try finish(harness, 3)
        #expect(started(harness) == [1, 2, 3, 4, 5, 8])
        for job in [8, 4, 5, 6] as [Int64] { try harness.download(job) }
        #expect(started(harness) == [1, 2, 3, 4, 5, 8, 4, 5, 6, 7])
        #expect(harness.outside.all.stopped.isEmpty)
        for job in [4, 5, 8] as [Int64] { #expect(try harness.stored(job)?.attempts == 1) }
        for job in 4...6 { #expect(harness.outside.lines.count { $0.hasPrefix("j\(job) started") } == 1) }
    }

    @Test("What has a higher priority than those in hand at its host is begun next")
    func priority() throws {
        let harness = try harness()
        #expect(try harness.steer(.prioritize(-1), 6).get().priority == -1)
        #expect(recalled(harness).isEmpty)
        #expect(try harness.steer(.prioritize(1), 7).get().priority == 1)
        #expect(recalled(harness) == [3, 4, 5])
        try giveBack(harness, 4, 5)
        #expect(started(harness) == [1, 2, 3, 4, 5, 7, 4])
        #expect(recalled(harness) == [3, 4, 5])
        try finish(harness, 3)
        #expect(started(harness) == [1, 2, 3, 4, 5, 7, 4, 5])
    }

    @Test("A new job of higher priority is begun next, and one of another host calls nobody back")
    func newcomer() throws {
        let harness = try harness()
        let answer = Answer<AcceptedBatch>()
        let urls = ["http://example.net/9.jpg", "http://example.org/10.jpg"]
        for (url, priority) in zip(urls, [9, 1]) {
            let item = NewJob(url: try JobURL(url), priority: priority)
            try harness.turn(.submit(Submission(items: [item], submittedBy: nil), reply: answer.give))
            while harness.core.isTakingIn { try harness.turn() }
            #expect(recalled(harness) == (priority == 1 ? [3, 4, 5] : []))
        }
        try giveBack(harness, 4, 5)
        #expect(started(harness) == [1, 2, 3, 4, 5, 9, 10, 4])
    }

    @Test("A job whose request is in hand is queued for all who ask, and has begun once it goes out")
    func shown() throws {
        let harness = try harness()
        for _ in 1...3 { try harness.untilWritten() }
        #expect(try harness.stored(3)?.state == .downloading)
        for job in [4, 5] as [Int64] { #expect(try harness.stored(job)?.state == .queued) }
        #expect(harness.core.status.jobsByState[.downloading] == 1)
        #expect(!harness.outside.lines.contains { $0.hasPrefix("j4 ") })
        try finish(harness, 3)
        for _ in 1...2 { try harness.untilWritten() }
        #expect(try harness.stored(4)?.state == .downloading)
        #expect(harness.outside.lines.contains { $0.hasPrefix("j4 started") })
        #expect(try harness.stored(5)?.state == .queued)
    }

    @Test("A job that is paused while its request is in hand has made no attempt")
    func paused() throws {
        let harness = try harness()
        #expect(try harness.steer(.pause, 4).get().state == .paused)
        #expect(harness.outside.all.stopped.map(\.rawValue) == [4])
        try giveBack(harness, 4)
        try harness.untilWritten()
        let paused = try #require(try harness.stored(4))
        #expect(paused.state == .paused && paused.attempts == 0)
        #expect(try harness.steer(.resume, 4).get().state == .queued)
    }

    @Test("After an orderly end, nothing of what was in hand has begun")
    func settled() throws {
        let harness = try harness()
        try harness.core.settle(now: harness.now)
        #expect(try harness.stored(3)?.attempts == 1)
        for job in [4, 5] as [Int64] {
            let stored = try #require(try harness.stored(job))
            #expect(stored.state == .queued && stored.attempts == 0 && !stored.hasStarted)
        }
    }
}
