import JobCore
import JobStore
import TestSupport
import Testing

@testable import JobEngine

/// What the engine does while the store can't be written.
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
        #expect(harness.outside.all.started.count == 6, "no slot is lost")
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
}
