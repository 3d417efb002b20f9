import EngineSupport
import JobModel
import JobStore
import Testing
import Vocabulary

@testable import JobEngine

/// Documents that are looked at again, and people who think better of it: of the first results nothing is lost.
struct EngineSecondLookTests {
    private let found = DetectionResult(
        outcome: .counted,
        faces: [Face(x: 1, y: 2, width: 3, height: 4, confidence: 5)],
        engine: "haar",
        parameters: "p"
    )

    /// Jobs that are done.
    private func done(_ count: Int64, _ configuration: JobEngineConfiguration? = nil) throws -> EngineHarness
    {
        let harness = try EngineHarness(configuration ?? JobEngineConfiguration(detections: 2, sliceSize: 3))
        _ = try harness.submit((1...count).map { "http://example.org/\($0).jpg" })
        for job in 1...count {
            try harness.download(job)
            try harness.turn(.detected(JobID(rawValue: job), found))
        }
        #expect(harness.core.status.jobsByState == [.done: Int(count)])
        harness.now = harness.now.adding(seconds: 100)
        return harness
    }

    private func all(_ action: SteeringAction, _ harness: EngineHarness) throws -> Int {
        let answer = Answer<Int>()
        try harness.turn(.steerAll(action, reply: answer.give))
        for _ in 0..<100 where answer.value == nil { try harness.turn() }
        return try #require(answer.value).get()
    }

    private func jobs(_ harness: EngineHarness, _ count: Int64) throws -> [Job] {
        try (1...count).map { try #require(try harness.stored($0)) }
    }

    private func followed(_ harness: EngineHarness) async throws -> [[Int64]] {
        let page = try await harness.store.real.endings(EndingQuery(endedAfter: 0, limit: 100))
        return page.items.map { [$0.number, $0.job.id.rawValue] }
    }

    /// Events that can happen between a second look and its end.
    enum Between: CaseIterable, Sendable {
        case nothing, restart, pause, pauseAndResume, hold, holdAndRestart, leaseLapses
    }

    @Test(
        "Who has all looked at again and cancels that finds everything as it was, whatever came in between",
        arguments: Between.allCases
    )
    func all(_ between: Between) async throws {
        let harness = try done(7)
        let before = try jobs(harness, 7)
        let endings = try await followed(harness)
        let index = try await harness.store.real.documentIndex(JobFilter(), order: .newest, limit: nil)
        if between == .hold || between == .holdAndRestart {
            try harness.turn(.setGate(open: false, reply: Answer<Void>().give))
        }
        #expect(try all(.detect(), harness) == 7)
        let counted = harness.core.status.jobsByState
        #expect(
            counted == (harness.core.status.detectionGateOpen ? [.detecting: 2, .stored: 5] : [.stored: 7])
        )
        switch between {
        case .nothing, .hold: break
        case .restart, .holdAndRestart: try harness.restart()
        case .pause: #expect(try all(.pause, harness) == 7)
        case .pauseAndResume:
            #expect(try all(.pause, harness) == 7)
            #expect(harness.core.status.jobsByState == [.paused: 7])
            #expect(try all(.resume, harness) == 7)
        case .leaseLapses:
            harness.core.bench.leases.grant(BatchID(rawValue: 1), seconds: 1, now: harness.now)
            harness.now = harness.now.adding(seconds: 2)
            for _ in 0..<5 { try harness.turn() }
        }
        #expect(try jobs(harness, 7).allSatisfy { $0.isLookedAtAgain && $0.detection == found })
        #expect(try await followed(harness) == endings)
        #expect(try all(.cancel, harness) == 7)
        #expect(harness.core.status.jobsByState == [.done: 7])
        #expect(harness.core.status.activeDetections == 0 && harness.core.status.waitingDetections == 0)
        var after = try jobs(harness, 7)
        for place in after.indices { after[place].detectionDeferred = before[place].detectionDeferred }
        #expect(after == before)
        #expect(try await followed(harness) == endings, "nothing has ended once more")
        let now = try await harness.store.real.documentIndex(JobFilter(), order: .newest, limit: nil)
        #expect(now == index)
        let told = harness.outside.lines.filter { $0.contains("cancelled") }
        #expect(told == (1...7).map { "j\($0) cancelled face detection in \"\($0).jpg\"" })
        // There is nothing left to cancel, and all of them can be looked at, forgotten or removed.
        #expect(try all(.cancel, harness) == 0)
        try harness.restart()
        #expect(harness.core.status.jobsByState == [.done: 7], "a start finds nothing to do")
        #expect(try all(.detect(), harness) == 7)
    }

    @Test("A first look that is cancelled with them ends its job, as ever")
    func firstLooks() throws {
        let harness = try done(2)
        _ = try harness.submit(["http://example.org/3.jpg"])
        try harness.download(3)
        #expect(try all(.detect(), harness) == 2)
        #expect(try all(.cancel, harness) == 3)
        #expect(harness.core.status.jobsByState == [.done: 2, .cancelled: 1])
        #expect(try harness.stored(3)?.detection == nil)
    }

    @Test(
        "One that waits, one that is looked at, and one that is paused: each is done again when it is cancelled"
    )
    func one() throws {
        let harness = try done(3, JobEngineConfiguration(detections: 1))
        let before = try jobs(harness, 3)
        for job in 1...3 as ClosedRange<Int64> { _ = try harness.steer(.detect(), job).get() }
        _ = try harness.steer(.pause, 3).get()
        #expect(try jobs(harness, 3).map(\.state) == [.detecting, .stored, .paused])
        for job in [2, 1, 3] as [Int64] {
            let cancelled = try harness.steer(.cancel, job).get()
            #expect(cancelled == before[Int(job) - 1] && cancelled.state == .done)
        }
        #expect(Set(harness.outside.all.withdrawn.map(\.rawValue)) == [1, 2, 3])
        // The detector had answered by then.
        try harness.turn(.detected(JobID(rawValue: 1), DetectionResult(outcome: .unreadable, engine: "haar")))
        #expect(try jobs(harness, 3) == before)
        #expect(try harness.steer(.detect(), 2).get().state != .done)
        #expect(harness.outside.all.detecting.last?.rawValue == 2, "the detector is free for others")
    }

    @Test(
        "A second look keeps its job from being forgotten and its document from being removed, until it is cancelled"
    )
    func forgotten() throws {
        let harness = try done(2)
        for job in 1...2 as ClosedRange<Int64> { _ = try harness.steer(.detect(), job).get() }
        func forget() throws -> ForgottenJobs {
            let answer = Answer<ForgottenJobs>()
            try harness.turn(.forget([JobID(rawValue: 1)], reply: answer.give))
            return try #require(answer.value).get()
        }
        func remove() throws -> Answer<Job> {
            let answer = Answer<Job>()
            try harness.turn(.removeDocument(JobID(rawValue: 2), reply: answer.give))
            return answer
        }
        #expect(try forget() == ForgottenJobs(forgotten: 0, kept: 1))
        guard case .failure(.notPossible) = try remove().value else {
            Issue.record("its document goes")
            return
        }
        #expect(try all(.cancel, harness) == 2)
        #expect(try forget() == ForgottenJobs(forgotten: 1, kept: 0))
        let removed = try remove()
        try harness.report(2, .removed)
        #expect(try removed.value?.get().detection == found)
    }

    @Test(
        "Of a document that others make room for, the second look spares it, and the first result outlives that"
    )
    func evictable() throws {
        let harness = try EngineHarness(JobEngineConfiguration(detections: 1))
        let options = JobOptions(source: "list", itemKey: "1", isEvictable: true)
        let item = NewJob(url: try JobURL("http://example.org/1.jpg"), options: options)
        try harness.turn(.submit(Submission(items: [item], submittedBy: nil), reply: { _ in }))
        try harness.download(1)
        try harness.turn(.detected(JobID(rawValue: 1), found))
        let before = try #require(try harness.stored(1))
        #expect(before.mayBeEvicted && harness.core.bench.evictables.bytes == 100)
        _ = try harness.steer(.detect(), 1).get()
        let sought = harness.core.bench.evictables.victims(maximum: 1, sparing: [:], atMost: 1)
        #expect(sought.isEmpty)
        #expect(try harness.steer(.cancel, 1).get() == before)
        let victims = harness.core.bench.evictables.victims(maximum: 1, sparing: [:], atMost: 1)
        #expect(victims == [JobID(rawValue: 1)])
    }
}
