import TestSupport
import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

/// Jobs that wait because there is no room for their documents, while all others go on.
struct HeldFlowTests {
    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    /// Jobs 1 to 3 of a source whose documents may be removed, and 4 to 6 of one whose documents are kept.
    private func queue(total: Int = 9, perHost: Int = 9) -> TransferQueue {
        var queue = TransferQueue(limits: .init(total: total, perHost: perHost))
        for number in 1...3 as ClosedRange<Int64> {
            queue.enqueue(job(number), host: "a", priority: 0, of: .evictable(source: "s"))
        }
        for number in 4...6 as ClosedRange<Int64> {
            queue.enqueue(job(number), host: "a", priority: 0, of: .source("s"))
        }
        return queue
    }

    private func drain(_ queue: inout TransferQueue) -> Set<Int64> {
        var jobs: Set<Int64> = []
        while let job = queue.next() { jobs.insert(job.rawValue) }
        return jobs
    }

    @Test("Held jobs get no permit, and others do; let go, they get theirs, also those that came meanwhile")
    func holding() {
        var queue = queue()
        queue.holdEvictable(true)
        #expect(queue.hasHeld)
        #expect(drain(&queue) == [4, 5, 6])
        queue.enqueue(job(7), host: "b", priority: 100, of: .evictable(source: "t"))
        queue.remove(job(2))
        #expect(drain(&queue) == [])
        queue.holdEvictable(false)
        #expect(!queue.hasHeld)
        #expect(drain(&queue) == [1, 3, 7])
    }

    @Test("What somebody looks at is held, too, and nobody gives way to it")
    func attention() {
        var queue = queue(total: 3)
        queue.holdEvictable(true)
        queue.attend([job(1): .visible, job(2): .near], changed: [job(1), job(2)])
        #expect(drain(&queue) == [4, 5, 6])
        #expect(queue.displace(now: Moment(microseconds: 0)) { _ in true } == nil)
        queue.holdEvictable(false)
        #expect(queue.displace(now: Moment(microseconds: 0)) { _ in true } == job(6))
        queue.release(job(6))
        #expect(queue.next() == job(1))
    }

    @Test("Jobs that were held when all others of their host ended go on after that", arguments: [0, 4])
    func alone(ahead: Int) {
        var queue = TransferQueue(limits: .init(total: 9, perHost: 2, ahead: ahead))
        for number in 1...5 as ClosedRange<Int64> {
            queue.enqueue(job(number), host: "a", priority: 0, of: .evictable(source: "s"))
        }
        #expect(drain(&queue) == [1, 2])
        queue.holdEvictable(true)
        queue.release(job(1))
        queue.release(job(2))
        #expect(drain(&queue) == [])
        queue.holdEvictable(false)
        #expect(drain(&queue) == [3, 4])
    }

    @Test("Jobs whose host is at its limit come back once both let them")
    func aside() {
        var queue = queue(perHost: 2)
        #expect(drain(&queue).count == 2)
        queue.holdEvictable(true)
        for number in 1...6 as ClosedRange<Int64> { queue.release(job(number)) }
        var got = drain(&queue)
        queue.holdEvictable(false)
        for number in 1...6 as ClosedRange<Int64> { queue.release(job(number)) }
        got.formUnion(drain(&queue))
        for number in 1...6 as ClosedRange<Int64> { queue.release(job(number)) }
        got.formUnion(drain(&queue))
        #expect(got.count >= 4)
        #expect(queue.queuedCount == 0)
    }

    @Test("A long line is held and let go in no time, however often")
    func longLine() {
        var queue = TransferQueue(limits: .init(total: 1, perHost: 1))
        for number in 1...20_000 as ClosedRange<Int64> {
            queue.enqueue(job(number), host: "a", priority: 0, of: .evictable(source: "s"))
        }
        for _ in 1...2_000 {
            queue.holdEvictable(true)
            #expect(queue.next() == nil)
            queue.holdEvictable(false)
        }
        #expect(queue.next() == job(1))
    }
}
