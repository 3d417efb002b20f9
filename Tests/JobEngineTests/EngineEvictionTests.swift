import EngineSupport
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Documents that go to make room for others, through the whole engine.
@Suite("The engine, and documents that may be removed to make room")
struct EngineEvictionTests {
    private static func configuration(_ maximum: Int64?) -> JobEngineConfiguration {
        JobEngineConfiguration(
            transfers: TransferQueue.Limits(total: 20, perHost: 20),
            maximumSize: maximum,
            boot: "boot-1"
        )
    }

    private func add(_ count: Int, to harness: EngineHarness, isEvictable: Bool = true) throws {
        let items = try (1...count).map { number in
            NewJob(
                url: try JobURL("http://example.org/\(number).jpg"),
                options: JobOptions(source: "list", itemKey: "\(number)", isEvictable: isEvictable)
            )
        }
        let answer = Answer<AcceptedBatch>()
        try harness.turn(.submit(Submission(items: items, submittedBy: nil), reply: answer.give))
        _ = try answer.value?.get()
    }

    private func finish(_ jobs: ClosedRange<Int64>, in harness: EngineHarness) throws {
        for job in jobs {
            try harness.download(job)
            try harness.turn(
                .detected(JobID(rawValue: job), DetectionResult(outcome: .counted, engine: "haar"))
            )
        }
    }

    private func removed(_ harness: EngineHarness) -> [Int64] { harness.outside.all.removed.map(\.rawValue) }

    /// Five documents of 100 bytes in an engine that has room for all of them.
    private func five() throws -> EngineHarness {
        let harness = try EngineHarness(Self.configuration(nil))
        try add(5, to: harness)
        try finish(1...5, in: harness)
        return harness
    }

    @Test("What was served least recently goes, once there is too much, and nothing before")
    func order() throws {
        let harness = try five()
        // A use is noted when somebody asks for it, and written later.
        harness.outside.change { $0.served = [JobID(rawValue: 1)] }
        try harness.turn(.served)
        #expect(try harness.stored(1)?.servedAt == nil)
        try harness.turn(.reconfigure(Self.configuration(516)))
        #expect(removed(harness).isEmpty)
        try harness.turn(.reconfigure(Self.configuration(320)))
        #expect(removed(harness) == [2, 3])
        #expect(try harness.stored(2)?.isBeingEvicted == true)
        #expect(try harness.stored(1)?.servedAt != nil)
        for job in [2, 3] as [Int64] { try harness.report(job, .removed) }
        let lines = [2, 3].map { "j\($0) removed \"\($0).jpg\" to make room" }
        #expect(harness.outside.lines.suffix(2) == lines[...])
        let evicted = try #require(try harness.stored(2))
        #expect(evicted.isEvicted && evicted.state == .done && evicted.detection?.outcome == .counted)
        #expect(removed(harness).count == 2)
    }

    @Test("A use is written within a minute, and when the daemon stops; a restart goes by it")
    func uses() throws {
        let harness = try five()
        harness.outside.change { $0.served = [JobID(rawValue: 1)] }
        let wake = try #require(try harness.turn(.served))
        #expect(wake.seconds(since: harness.now) <= 60)
        harness.now = harness.now.adding(seconds: 60)
        try harness.turn()
        #expect(try harness.stored(1)?.servedAt != nil)
        harness.outside.change { $0.served = [JobID(rawValue: 2)] }
        try harness.turn(.served)
        try harness.core.settle(now: harness.now)
        #expect(try harness.stored(2)?.servedAt != nil)
        try harness.restart(Self.configuration(320))
        #expect(removed(harness) == [3, 4])
    }

    @Test("Nobody's document goes: looked at, pinned, changed, taken away, or of somebody who keeps his")
    func protected() throws {
        let harness = try five()
        try add(1, to: harness, isEvictable: false)
        try finish(6...6, in: harness)
        _ = try harness.steer(.pin(true), 1).get()
        harness.outside.change { notes in
            notes.marks["/d/2.jpg"]?.changed += 1
            notes.marks["/d/3.jpg"] = nil
        }
        let client = Attention.Client(user: nil, name: "tab")
        try harness.turn(.attend(client, visible: [JobID(rawValue: 4)], near: [], reply: { _ in }))
        try harness.turn(.reconfigure(Self.configuration(1)))
        try harness.turn()
        #expect(removed(harness) == [5])
        _ = try harness.steer(.pin(false), 1).get()
        #expect(removed(harness) == [5, 1])
        // The lease lapses.
        harness.now = harness.now.adding(seconds: 16)
        try harness.turn()
        #expect(removed(harness) == [5, 1, 4])
        for job in [5, 1, 4] as [Int64] { try harness.report(job, .removed) }
        #expect(try harness.stored(2)?.path != nil && harness.stored(6)?.path != nil)
    }

    @Test("What can't be removed is not asked for again, and stays what it is")
    func refused() throws {
        let harness = try five()
        try harness.turn(.reconfigure(Self.configuration(500)))
        #expect(removed(harness) == [1])
        try harness.report(1, .notRemoved)
        #expect(removed(harness) == [1, 2])
        #expect(try harness.stored(1)?.evictedAt == nil)
    }

    @Test("Nothing is begun in the place of what is still being removed")
    func slowRemoval() throws {
        let harness = try five()
        try harness.turn(.reconfigure(Self.configuration(320)))
        #expect(removed(harness) == [1, 2])
        harness.outside.change { $0.started = [] }
        try add(1, to: harness)
        try harness.report(1, .removed)
        #expect(harness.outside.all.started.isEmpty)
        try harness.report(2, .removed)
        #expect(harness.outside.all.started.map(\.job.rawValue) == [6])
    }

    @Test("Where nothing may go, downloads of these sources wait and say why, and all others go on")
    func full() throws {
        let harness = try EngineHarness(Self.configuration(320))
        try harness.turn(.setGate(open: false, reply: { _ in }))
        try add(3, to: harness)
        for job in 1...3 as ClosedRange<Int64> { try harness.download(job) }
        harness.outside.change { $0.started = [] }
        try add(2, to: harness)
        #expect(harness.outside.all.started.map(\.job.rawValue) == [4, 5])
        // Of one it is heard now that there is no room for it.
        try harness.report(
            5,
            .began(TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)),
            .progressed(bytes: 10)
        )
        #expect(harness.outside.all.stopped == [JobID(rawValue: 5)])
        try harness.report(5, .ended(.stopped))
        #expect(try harness.stored(5)?.waiting?.reason.message.contains("documents.maximum-size") == true)
        harness.outside.change { $0.started = [] }
        try harness.report(4, .ended(.interrupted(JobFailure(.connectionLost, "cut"), retryAfter: nil)))
        try add(2, to: harness)
        try add(1, to: harness, isEvictable: false)
        _ = try harness.submit(["http://example.org/person.jpg"])
        let started = harness.outside.all.started.map(\.job.rawValue)
        #expect(started.contains(8) && started.contains(9))
    }

    @Test("The hold ends as soon as something may go")
    func released() throws {
        let harness = try EngineHarness(Self.configuration(300))
        try harness.turn(.setGate(open: false, reply: { _ in }))
        try add(4, to: harness)
        for job in 1...3 as ClosedRange<Int64> { try harness.download(job) }
        _ = try harness.steer(.cancel, 4)
        harness.outside.change { $0.started = [] }
        try add(1, to: harness)
        try harness.turn()
        #expect(harness.outside.all.started.isEmpty)
        let hold = try #require(harness.core.status.holds.first)
        #expect(hold.kind == .room && hold.reason.contains("documents.maximum-size"))
        try harness.turn(.setGate(open: true, reply: { _ in }))
        try harness.turn(.detected(JobID(rawValue: 1), DetectionResult(outcome: .counted, engine: "haar")))
        try harness.turn()
        #expect(removed(harness) == [1])
        #expect(harness.outside.all.started.map(\.job.rawValue) == [5])
        #expect(harness.core.status.holds.isEmpty)
    }

    @Test("A file that is longer than all may be together is refused before anything goes for it")
    func tooLong() throws {
        let harness = try EngineHarness(Self.configuration(320))
        try add(2, to: harness)
        try finish(1...1, in: harness)
        try harness.report(
            2,
            .began(TransferStart(mode: .fresh, offset: 0, total: 5000, validator: nil)),
            .progressed(bytes: 1)
        )
        #expect(harness.outside.all.stopped == [JobID(rawValue: 2)])
        try harness.report(2, .ended(.stopped))
        #expect(removed(harness).isEmpty)
        harness.outside.change { $0.started = [] }
        harness.now = harness.now.adding(seconds: 11)
        try harness.turn()
        #expect(harness.outside.all.started.isEmpty)
        #expect(try harness.stored(2)?.state == .waiting)
    }

    @Test("A removal that a crash cut off goes on, and a job whose document is going can't be forgotten")
    func crash() throws {
        let harness = try five()
        try harness.turn(.reconfigure(Self.configuration(500)))
        #expect(removed(harness) == [1])
        let answer = Answer<ForgottenJobs>()
        try harness.turn(.forget([JobID(rawValue: 1)], reply: answer.give))
        #expect(try answer.value?.get() == ForgottenJobs(kept: 1))
        try harness.restart(Self.configuration(500))
        #expect(removed(harness) == [1])
        try harness.report(1, .removed)
        try harness.restart(Self.configuration(500))
        #expect(removed(harness).isEmpty)
        #expect(try harness.stored(1)?.isEvicted == true)
        // Fetched again, it is a document like the others, and the next makes room for it.
        _ = try harness.steer(.retry(url: nil), 1).get()
        #expect(harness.outside.all.started.map(\.job.rawValue) == [1])
        try finish(1...1, in: harness)
        #expect(removed(harness) == [2])
        #expect(try harness.stored(1)?.path == "/d/1.jpg")
    }
}
