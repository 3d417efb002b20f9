import EngineSupport
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Tests that what people look at goes first, through the whole engine.
@Suite("The engine, and what people look at")
struct EngineAttentionTests {
    private let tab = Attention.Client(user: 1000, name: "tab-1")

    private func harness(total: Int, detections: Int = 1) throws -> EngineHarness {
        try EngineHarness(
            JobEngineConfiguration(
                transfers: TransferQueue.Limits(total: total, perHost: total),
                detections: detections,
                boot: "boot-1"
            )
        )
    }

    private func look(_ harness: EngineHarness, visible: [Int64], near: [Int64] = []) throws {
        let answer = Answer<Void>()
        try harness.turn(
            .attend(
                tab,
                visible: visible.map(JobID.init(rawValue:)),
                near: near.map(JobID.init(rawValue:)),
                reply: answer.give
            )
        )
        try #require(answer.value).get()
    }

    private func urls(_ count: Int) -> [String] { (1...count).map { "http://example.org/\($0).jpg" } }

    private func started(_ harness: EngineHarness) -> [Int64] {
        harness.outside.all.started.map(\.job.rawValue)
    }

    private func begin(_ harness: EngineHarness, _ job: Int64, bytes: Int64) throws {
        let start = TransferStart(
            mode: .fresh,
            offset: 0,
            total: 1 << 20,
            validator: .entityTag("\"v1\"")
        )
        harness.outside.change { $0.lengths[JobID(rawValue: job)] = bytes }
        try harness.report(job, .began(start), .progressed(bytes: bytes))
    }

    @Test("A job in view takes the place of one that nobody looks at, which goes on from where it was")
    func displacement() throws {
        let harness = try harness(total: 2)
        _ = try harness.submit(urls(5))
        #expect(started(harness) == [1, 2])
        try begin(harness, 1, bytes: 1000)
        try begin(harness, 2, bytes: 2000)
        try look(harness, visible: [5])
        #expect(harness.outside.all.stopped.map(\.rawValue) == [2])
        #expect(try harness.stored(2)?.state == .queued)
        try harness.report(2, .ended(.stopped))
        #expect(started(harness) == [1, 2, 5])
        #expect(!harness.outside.all.discarded.contains(JobID(rawValue: 2)))
        try harness.download(5)
        let again = try #require(harness.outside.all.started.last)
        #expect(again.job.rawValue == 2 && again.resume?.offset == 2000)
        #expect(!harness.outside.lines.contains { $0.contains("paused") || $0.contains("waiting") })
    }

    @Test("Jobs in view get their places one after the other, without anything else having to happen")
    func pace() throws {
        let harness = try harness(total: 3)
        _ = try harness.submit(urls(9))
        for job in 1...3 as ClosedRange<Int64> { try begin(harness, job, bytes: 10) }
        try look(harness, visible: [7, 8, 9])
        #expect(harness.outside.all.stopped.map(\.rawValue) == [3])
        let wake = try harness.turn()
        #expect(wake.map { $0.seconds(since: harness.now) < 0.25 } == true)
        for expected in [[3, 2], [3, 2, 1]] as [[Int64]] {
            harness.now = harness.now.adding(seconds: 0.25)
            try harness.turn()
            #expect(harness.outside.all.stopped.map(\.rawValue) == expected)
        }
        harness.now = harness.now.adding(seconds: 0.25)
        try harness.turn()
        #expect(harness.outside.all.stopped.count == 3)
    }

    @Test("What yields to a job in view goes on after ten seconds, without anything else having to happen")
    func yields() throws {
        let harness = try harness(total: 3)
        _ = try harness.submit(urls(1))
        try look(harness, visible: [1, 4])
        _ = try harness.submit(urls(3))
        #expect(started(harness) == [1, 4])
        let wake = try #require(try harness.turn())
        #expect(wake.seconds(since: harness.now) <= 10)
        harness.now = harness.now.adding(seconds: 10)
        try harness.turn()
        #expect(started(harness) == [1, 4, 2])
    }

    @Test("A lease lapses by itself, and the jobs have their old places again")
    func lapses() throws {
        let harness = try harness(total: 1)
        _ = try harness.submit(urls(3))
        // Nothing could be kept of it, so it doesn't give way.
        try harness.report(
            1,
            .began(TransferStart(mode: .fresh, offset: 0, total: 1 << 20, validator: nil)),
            .progressed(bytes: 1 << 19)
        )
        try look(harness, visible: [3])
        #expect(harness.core.interests == [JobID(rawValue: 3): .visible])
        let wake = try #require(try harness.turn())
        #expect(wake.seconds(since: harness.now) <= 15)
        harness.now = harness.now.adding(seconds: 15)
        try harness.turn()
        #expect(harness.core.interests.isEmpty)
        #expect(harness.outside.all.stopped.isEmpty)
        try harness.download(1)
        #expect(started(harness) == [1, 2])
    }

    @Test("Documents are looked at in the same order, and what has come in view meanwhile goes next")
    func detection() throws {
        let harness = try harness(total: 9)
        _ = try harness.submit(urls(5))
        for job in 1...5 as ClosedRange<Int64> { try harness.download(job) }
        #expect(harness.outside.all.detecting.map(\.rawValue) == [1])
        try look(harness, visible: [4], near: [5])
        for job in [1, 4, 5, 2] as [Int64] {
            try harness.turn(.detected(JobID(rawValue: job), DetectionResult(outcome: .counted)))
        }
        #expect(harness.outside.all.detecting.map(\.rawValue) == [1, 4, 5, 2, 3])
    }

    @Test("What nobody knows, or what has ended, is no matter")
    func unknown() throws {
        let harness = try harness(total: 1)
        _ = try harness.submit(urls(2))
        try harness.download(1)
        try look(harness, visible: [1, 99], near: [.max])
        #expect(harness.outside.all.stopped.isEmpty)
        try look(harness, visible: [])
        #expect(harness.core.interests.isEmpty)
    }

    @Test("Pausing and cancelling what gives way does what it says")
    func steeredWhileGivingWay() throws {
        let harness = try harness(total: 2)
        _ = try harness.submit(urls(4))
        for job in 1...2 as ClosedRange<Int64> { try begin(harness, job, bytes: 10) }
        try look(harness, visible: [4])
        #expect(try harness.steer(.pause, 2).get().state == .paused)
        try harness.report(2, .ended(.stopped))
        #expect(started(harness) == [1, 2, 4])
        #expect(try harness.stored(2)?.state == .paused)
        #expect(try harness.steer(.cancel, 4).get().state == .cancelled)
        try harness.report(4, .ended(.stopped))
        #expect(started(harness) == [1, 2, 4, 3])
    }
}
