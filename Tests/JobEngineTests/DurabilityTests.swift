import JobModel
import JobStore
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of what is believed of a partial, and what is done when there is no room for one.
struct DurabilityTests {
    private let start = TransferStart(mode: .fresh, offset: 0, total: 100, validator: .entityTag("\"v\""))
    private let cut = JobFailure(.connectionLost, "the connection broke")

    private func configuration(boot: String?) -> JobEngineConfiguration {
        JobEngineConfiguration(diskReserve: 1000, boot: boot)
    }

    private func halfDownloaded(boot: String? = "one") throws -> EngineHarness {
        let harness = try EngineHarness(configuration(boot: boot))
        _ = try harness.submit(["http://example.org/1.jpg"])
        try harness.report(1, .began(start), .progressed(bytes: 42))
        try harness.untilWritten()
        harness.outside.change { $0.lengths[JobID(rawValue: 1)] = 42 }
        return harness
    }

    private func resume(_ harness: EngineHarness) -> ResumePoint? { harness.outside.all.started.last?.resume }

    @Test("After a crash of the daemon a partial is believed to its length")
    func crash() throws {
        let harness = try halfDownloaded()
        try harness.restart(configuration(boot: "one"))
        #expect(resume(harness)?.offset == 42)
    }

    @Test(
        "What a killed daemon has written in segments is believed, though only once its transfer tells, stored"
    )
    func survivingSegments() throws {
        let harness = try halfDownloaded()
        try harness.report(1, .kept(SegmentMap(prefix: 42)))
        harness.outside.change {
            $0.lengths[JobID(rawValue: 1)] = 90
            $0.surviving[JobID(rawValue: 1)] = SegmentMap(text: "0-50,60-90")
        }
        try harness.restart(configuration(boot: "one"))
        #expect(resume(harness)?.held?.text == "0-50,60-90")
        #expect(resume(harness)?.unsyncedCount == 38)
        #expect(try harness.stored(1)?.segments?.text == "0-42")
        let resumed = TransferStart(mode: .resumed, offset: 80, total: 100, validator: .entityTag("\"v\""))
        try harness.report(1, .began(resumed), .kept(SegmentMap(text: "0-50,60-90") ?? SegmentMap()))
        #expect(try harness.stored(1)?.segments?.text == "0-50,60-90")
    }

    @Test("A transfer may empty the partial only once the store claims nothing of it")
    func otherVersion() throws {
        let harness = try halfDownloaded()
        try harness.restart(configuration(boot: "one"))
        harness.store.fail(with: .outOfSpace)
        try harness.report(1, .restarting(reason: "the file on the server has changed"))
        #expect(harness.outside.all.confirmed.isEmpty)
        harness.store.fail(with: nil)
        harness.now = harness.now.adding(seconds: 1)
        try harness.turn()
        #expect(harness.outside.all.confirmed == [JobID(rawValue: 1)])
        let stored = try #require(try harness.stored(1))
        #expect(stored.validator == nil)
        #expect(stored.partialBoot == nil)
        // Killed with some bytes of the other version in the partial.
        harness.outside.change { $0.lengths[JobID(rawValue: 1)] = 7 }
        try harness.restart(configuration(boot: "one"))
        #expect(harness.outside.all.started.count == 1)
        #expect(resume(harness) == nil)
    }

    @Test(
        "After a restart of the machine, or where that can't be told, only what was synced is believed",
        arguments: ["two", nil] as [String?]
    )
    func reboot(boot: String?) throws {
        let harness = try halfDownloaded(boot: boot == nil ? nil : "one")
        try harness.restart(configuration(boot: boot))
        #expect(harness.outside.all.started.count == 1)
        #expect(resume(harness) == nil)
        #expect(
            harness.outside.lines.contains { $0.contains("from zero: the partial file may") }
        )
    }

    @Test(
        "What a restart of the machine left unsure is so until the server has answered, however many tries that takes",
        arguments: [42, 100] as [Int64]
    )
    func unansweredTries(length: Int64) throws {
        let harness = try halfDownloaded()
        try harness.report(1, .synced(bytes: 20))
        try harness.untilWritten()
        harness.outside.change { $0.lengths[JobID(rawValue: 1)] = length }
        try harness.restart(configuration(boot: "two"))
        #expect(resume(harness)?.offset == 20)
        for _ in 1...3 {
            try harness.report(1, .ended(.interrupted(cut, retryAfter: nil)))
            // The file is as long as it was: only an answer cuts it to what is believed.
            try harness.report(1, .synced(length: length))
            harness.now = harness.now.adding(seconds: 3600)
            try harness.turn()
            #expect(resume(harness)?.offset == 20)
            try harness.core.settle(now: harness.now)
            try harness.restart(configuration(boot: "two"))
            #expect(resume(harness)?.offset == 20)
        }
        #expect(harness.outside.all.sealed.isEmpty)
        let resumed = TransferStart(mode: .resumed, offset: 20, total: 100, validator: .entityTag("\"v\""))
        try harness.report(1, .began(resumed), .progressed(bytes: 30))
        try harness.untilWritten()
        harness.outside.change { $0.lengths[JobID(rawValue: 1)] = 30 }
        try harness.restart(configuration(boot: "two"))
        #expect(resume(harness)?.offset == 30)
    }

    @Test("A file that says to be larger than any can be fails, and ends nothing else")
    func absurdLength() throws {
        let harness = try EngineHarness(configuration(boot: "one"))
        _ = try harness.submit(["http://example.org/1.jpg", "http://example.org/2.jpg"])
        for job in [1, 2] as [Int64] {
            try harness.report(
                job,
                .began(TransferStart(mode: .fresh, offset: 0, total: .max, validator: nil))
            )
        }
        #expect(try harness.stored(1)?.state == .waiting)
        #expect(try harness.stored(2)?.waiting?.reason.code == .diskFull)
    }

    @Test("A transfer that is cut off is synced while it rests, and believed after a restart of the machine")
    func restingPartial() throws {
        let harness = try halfDownloaded()
        try harness.report(1, .ended(.interrupted(cut, retryAfter: nil)))
        #expect(harness.outside.all.synced.map(\.rawValue) == [1])
        try harness.report(1, .synced(length: 42))
        #expect(try harness.stored(1)?.durableBytes == 42)
        harness.now = harness.now.adding(seconds: 700)
        try harness.restart(configuration(boot: "two"))
        #expect(resume(harness)?.offset == 42)
    }

    @Test("A daemon that goes down in order leaves partials that a restart of the machine can't harm")
    func orderlyStop() throws {
        let harness = try halfDownloaded()
        try harness.core.settle(now: harness.now)
        try harness.restart(configuration(boot: "two"))
        #expect(resume(harness)?.offset == 42)
    }

    @Test("A partial that can't be synced is given up, and the file fetched anew")
    func failedSync() throws {
        let harness = try halfDownloaded()
        try harness.report(1, .ended(.interrupted(cut, retryAfter: nil)))
        try harness.report(1, .syncFailed)
        #expect(harness.outside.all.discarded.map(\.rawValue) == [1])
        #expect(try harness.stored(1)?.bytes == 0)
    }

    @Test(
        "A file that has no room waits before the disk is full, says so once, and goes on when there is room"
    )
    func room() throws {
        let harness = try EngineHarness(configuration(boot: "one"))
        _ = try harness.submit(["http://example.org/1.jpg"])
        harness.outside.change { $0.freeBytes = 1050 }
        try harness.report(1, .began(start))
        #expect(harness.outside.all.stopped.map(\.rawValue) == [1])
        try harness.report(1, .ended(.stopped))
        for _ in 1...50 {
            #expect(harness.outside.all.started.count == 1, "the server isn't asked again in vain")
            let job = try #require(try harness.stored(1))
            #expect(job.state == .waiting)
            #expect(job.waiting?.reason.code == .diskFull)
            harness.now = try #require(job.waiting?.until)
            try harness.turn()
        }
        #expect(harness.outside.lines.filter { $0.contains("waiting to retry") }.count == 1)
        harness.outside.change { $0.freeBytes = 1 << 30 }
        harness.now = try #require(try harness.stored(1)?.waiting?.until)
        try harness.turn()
        try harness.download(1)
        #expect(try harness.stored(1)?.path == "/d/1.jpg")
    }

    @Test("What other transfers still need counts as used")
    func sharedRoom() throws {
        let harness = try EngineHarness(configuration(boot: "one"))
        _ = try harness.submit(["http://example.org/1.jpg", "http://example.org/2.jpg"])
        harness.outside.change { $0.freeBytes = 1150 }
        try harness.report(1, .began(start))
        #expect(harness.outside.all.stopped.isEmpty)
        try harness.report(2, .began(start))
        #expect(harness.outside.all.stopped.map(\.rawValue) == [2])
    }

    @Test("A disk that fills in mid-write makes the job wait, however often, and never fail")
    func fullDisk() throws {
        let harness = try EngineHarness(configuration(boot: "one"))
        _ = try harness.submit(["http://example.org/1.jpg"])
        for _ in 1...30 {
            try harness.report(1, .ended(.interrupted(JobFailure(.diskFull, "no room"), retryAfter: nil)))
            #expect(try harness.stored(1)?.state == .waiting)
            harness.now = harness.now.adding(seconds: 31)
            try harness.turn()
        }
    }
}
