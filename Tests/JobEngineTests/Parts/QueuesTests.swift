import JobCore
import JobModel
import Testing

@testable import JobEngine

/// Tests of what moves do in the engine's queues.
struct QueuesTests {
    private func queues(isOpen: Bool = true) -> Queues {
        Queues(
            transfers: TransferQueue(limits: TransferQueue.Limits(total: 1, perHost: 1)),
            documents: DetectionGate(isOpen: isOpen, capacity: 2)
        )
    }

    @Test("A job comes in with its host and priority, and its permit goes to the next")
    func transfers() throws {
        var queues = queues()
        var urgent = try LiveJob.sample(2).job
        urgent.priority = 5
        #expect(queues.carryOut(.enqueueTransfer, for: try LiveJob.sample(1).job) == nil)
        #expect(queues.carryOut(.enqueueTransfer, for: urgent) == nil)
        #expect(queues.transfers.next() == urgent.id)
        #expect(queues.transfers.next() == nil)
        #expect(queues.carryOut(.releasePermit, for: urgent) == nil)
        #expect(queues.transfers.next()?.rawValue == 1)
    }

    @Test("A document hears that a held gate defers it, and nothing of an open one")
    func gate() throws {
        let job = try LiveJob.sample(1).job
        var (open, held) = (queues(), queues(isOpen: false))
        #expect(open.carryOut(.enqueueDetection, for: job) == nil)
        #expect(open.documents.next() == job.id)
        #expect(held.carryOut(.enqueueDetection, for: job) == .detectionDeferred)
        #expect(held.carryOut(.dequeueDetection, for: job) == nil)
        #expect(held.documents.waitingCount == 0)
    }

    @Test("A document that the daemon did not survive is looked at alone")
    func alone() throws {
        var queues = queues()
        var survivor = try LiveJob.sample(1).job
        survivor.detectionAttempts = 1
        _ = queues.carryOut(.enqueueDetection, for: survivor)
        _ = queues.carryOut(.enqueueDetection, for: try LiveJob.sample(2).job)
        #expect(queues.documents.next() == survivor.id)
        #expect(queues.documents.next() == nil)
    }

    @Test("Jobs come back in the order of their times, each when it is due")
    func retries() throws {
        let begin = Moment(microseconds: 1_795_243_503_000_000)
        var queues = queues()
        for (number, seconds) in [(1, 9), (2, 3), (3, 6)] as [(Int64, Double)] {
            let job = try LiveJob.sample(number).job
            _ = queues.carryOut(.wake(at: begin.adding(seconds: seconds)), for: job)
        }
        #expect(queues.retries.next == begin.adding(seconds: 3))
        #expect(queues.retries.popDue(now: begin) == nil)
        let due = (0..<3).map { _ in queues.retries.popDue(now: begin.adding(seconds: 6))?.rawValue }
        #expect(due == [2, 3, nil])
    }
}
