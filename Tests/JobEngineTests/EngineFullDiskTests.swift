import JobModel
import JobStore
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Tests of what the engine does while the store can't be written.
struct EngineFullDiskTests {
    private func urls(_ count: Int, host: String = "example.org") -> [String] {
        (1...count).map { "http://\(host)/\($0).jpg" }
    }

    @Test("With the disk full nothing is told or begun, nothing is lost, and new posts are refused")
    func fullDisk() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(1))
        harness.store.fail(with: .outOfSpace)
        try harness.report(
            1,
            .began(TransferStart(mode: .fresh, offset: 0, total: 100 << 20, validator: nil)),
            .ended(.completed(length: 100 << 20, lengthProven: true))
        )
        #expect(harness.outside.all.sealed.isEmpty)
        #expect(!harness.outside.lines.contains { $0.contains("100% done") })
        #expect(try harness.submit(urls(1)) == .failure(.outOfSpace))
        harness.store.fail(with: nil)
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        #expect(harness.outside.all.sealed.map(\.rawValue) == [1])
        #expect(harness.outside.lines.contains { $0.contains("100% done") })
        #expect(try harness.submit(urls(1)).get().jobs.map(\.rawValue) == [2])
    }

    @Test(
        "The very post whose commit finds the disk full is refused, and leaves nothing behind",
        arguments: [1, 2, 20]
    )
    func refusedPost(count: Int) throws {
        let harness = try EngineHarness(JobEngineConfiguration(sliceSize: 2))
        _ = try harness.submit(urls(1))
        harness.store.fail(with: .outOfSpace)
        #expect(try harness.submit(urls(count)) == .failure(.outOfSpace))
        #expect(harness.core.status.jobsByState.values.reduce(0, +) == 1)
        harness.store.fail(with: nil)
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        #expect(harness.outside.all.started.map(\.job.rawValue) == [1])
        let next = try harness.submit(urls(7)).get()
        #expect(harness.outside.all.started.count == 6, "no permit is lost")
        #expect(next.jobs.count == 7)
        try harness.restart()
        #expect(harness.core.status.jobsByState.values.reduce(0, +) == 8)
        let ids = try harness.store.real.latestEvents(limit: 100).map(\.id)
        #expect(ids == Array(1...Int64(ids.count)), "the events' ids have no gaps")
    }

    @Test("A big batch that finds the disk full half way is refused, and goes from the store")
    func refusedHalfWay() throws {
        let harness = try EngineHarness(JobEngineConfiguration(sliceSize: 2))
        let items = try urls(6).map { NewJob(url: try JobURL($0)) }
        let answer = Answer<AcceptedBatch>()
        try harness.turn(.submit(Submission(items: items, submittedBy: nil), reply: answer.give))
        #expect(try harness.stored(1) != nil)
        harness.store.fail(with: .outOfSpace)
        try harness.turn()
        #expect(answer.value == .failure(.outOfSpace))
        harness.store.fail(with: nil)
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        #expect(try harness.stored(1) == nil)
        #expect(harness.core.status.jobsByState.values.reduce(0, +) == 0)
    }

    @Test("Nothing of a big batch is begun before it is accepted, even what has been in the store for long")
    func refusedAtTheEnd() throws {
        let harness = try EngineHarness(JobEngineConfiguration(sliceSize: 2))
        let items = try urls(6).map { NewJob(url: try JobURL($0)) }
        let answer = Answer<AcceptedBatch>()
        try harness.turn(.submit(Submission(items: items, submittedBy: nil), reply: answer.give))
        try harness.turn()
        #expect(try harness.stored(4) != nil && answer.value == nil)
        harness.store.fail(with: .outOfSpace)
        try harness.turn()
        #expect(answer.value == .failure(.outOfSpace))
        #expect(harness.outside.all.started.isEmpty)
        harness.store.fail(with: nil)
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        #expect(try harness.stored(1) == nil)
        _ = try harness.submit(urls(5)).get()
        #expect(harness.outside.all.started.map(\.job.rawValue).sorted() == [7, 8, 9, 10, 11])
    }

    @Test("Who asks for something while the disk is full is told so, and not left waiting")
    func refusedSteering() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(2))
        harness.store.fail(with: .outOfSpace)
        #expect(try harness.steer(.pause, 1) == .failure(.outOfSpace), "it finds the disk full")
        #expect(try harness.steer(.pause, 2) == .failure(.outOfSpace), "the disk is known to be full")
        harness.store.fail(with: nil)
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        #expect(try harness.stored(1)?.state == .paused)
        #expect(try harness.steer(.pause, 2).get().state == .paused)
    }

    @Test("A broken disk ends the engine")
    func brokenDisk() throws {
        let harness = try EngineHarness()
        harness.store.fail(with: .broken("disk I/O error"))
        #expect(throws: StoreFailure.broken("disk I/O error")) { try harness.submit(urls(1)) }
    }

    @Test(
        "With the reserve, whoever pauses or cancels is obeyed at once, and posts are refused until it is full"
    )
    func reserve() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(3))
        harness.outside.change { $0.room = [] }
        harness.store.fail(with: .outOfSpace)
        harness.store.isHelpedByReserve.withLock { $0 = true }
        harness.store.fills.withLock { $0 = [.noRoom] }
        #expect(try harness.steer(.cancel, 1).get().state == .cancelled)
        #expect(
            harness.outside.all.room == ["hold", "hold", "release"],
            "transfers and the log stop before the room is given away"
        )
        #expect(try harness.submit(urls(1)) == .failure(.outOfSpace))
        #expect(try harness.steer(.pause, 2).get().state == .paused)
        #expect(harness.core.status.holds.map(\.kind) == [.disk])
        let started = harness.outside.all.started.count
        // Over and over, for all jobs, it would fill the reserve with events.
        #expect(try harness.steer(.resume, 2) == .failure(.outOfSpace))
        #expect(try harness.steer(.prioritize(5), 2) == .failure(.outOfSpace))
        #expect(harness.outside.all.started.count == started, "nothing new is begun")
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        #expect(harness.outside.all.room.last == "fill")
        harness.store.fills.withLock { $0 = [.more, .full] }
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        #expect(harness.core.status.holds.count == 1, "it is not full yet")
        try harness.turn()
        #expect(harness.outside.all.room.suffix(4) == ["fill", "fill", "go on", "go on"])
        #expect(harness.core.status.holds.isEmpty)
        try harness.turn()
        #expect(try harness.submit(urls(1)).get().jobs.count == 1)
        #expect(try harness.steer(.resume, 2).get().state == .queued)
        try harness.turn()
        #expect(harness.outside.all.started.contains { $0.job.rawValue == 2 })
    }

    @Test("The reserve is kept while somebody else may still be writing")
    func stillWriting() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(1))
        harness.outside.change { $0.stopsInTime = false }
        harness.store.fail(with: .outOfSpace)
        #expect(try harness.steer(.cancel, 1) == .failure(.outOfSpace))
        #expect(!harness.outside.all.room.contains("release"))
        harness.outside.change { $0.stopsInTime = true }
        harness.store.isHelpedByReserve.withLock { $0 = true }
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        #expect(harness.outside.all.room.contains("release"))
        #expect(try harness.stored(1)?.state == .cancelled, "what was asked for is done then")
    }

    @Test("A start without room for the reserve begins nothing, and steers, until there is room")
    func start() throws {
        let harness = try EngineHarness()
        _ = try harness.submit(urls(2))
        harness.store.fills.withLock { $0 = [.noRoom] }
        try harness.restart()
        #expect(harness.outside.all.started.isEmpty)
        #expect(!harness.core.status.holds.isEmpty)
        #expect(try harness.steer(.cancel, 1).get().state == .cancelled)
        harness.store.fills.withLock { $0 = [.full] }
        harness.now = harness.now.adding(seconds: 2)
        try harness.turn()
        #expect(harness.outside.all.started.map(\.job.rawValue) == [2])
    }
}
