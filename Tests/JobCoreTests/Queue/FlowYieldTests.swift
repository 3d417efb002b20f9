import TestSupport
import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

/// Tests of how a flow that is ahead leaves a host to the last files of one that is behind.
struct FlowYieldTests {
    private let start = Moment(microseconds: 1_795_243_503_000_000)

    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    private func drain(_ queue: inout TransferQueue, at seconds: Double) -> [Int64] {
        var jobs: [Int64] = []
        while let job = queue.next(now: start.adding(seconds: seconds)) { jobs.append(job.rawValue) }
        return jobs
    }

    private func add(
        _ jobs: ClosedRange<Int64>,
        of flow: Int64,
        host: String = "a",
        priority: Int = 0,
        to queue: inout TransferQueue
    ) {
        for number in jobs {
            let flow = Flow.batch(BatchID(rawValue: flow))
            queue.enqueue(job(number), host: host, priority: priority, of: flow)
        }
    }

    /// A queue in which six of very many are under way, and then two of another batch.
    private func queue() -> TransferQueue {
        var queue = TransferQueue(limits: .init(total: 16, perHost: 6))
        add(1...1000, of: 1, to: &queue)
        #expect(drain(&queue, at: 0) == [1, 2, 3, 4, 5, 6])
        for number in Int64(1)...6 { queue.progress(job(number), to: 150_000) }
        add(2001...2002, of: 2, to: &queue)
        for number in Int64(1)...2 {
            queue.release(job(number), at: 200_000)
            #expect(drain(&queue, at: 1) == [2000 + number])
        }
        return queue
    }

    @Test("Beside the last files of a flow that is behind, one that is ahead begins nothing at that host")
    func behind() {
        var queue = queue()
        for number in Int64(3)...6 { queue.release(job(number), at: 200_000) }
        #expect(drain(&queue, at: 2) == [])
        #expect(queue.yieldsUntil(now: start.adding(seconds: 2)) == start.adding(seconds: 11))
        queue.release(job(2001), at: 200_000)
        #expect(drain(&queue, at: 3) == [])
        queue.release(job(2002), at: 200_000)
        #expect(drain(&queue, at: 4) == [7, 8, 9, 10, 11, 12])
        #expect(queue.yieldsUntil(now: start.adding(seconds: 4)) == nil)
    }

    @Test("A file that waits by a rate of its own holds nobody up")
    func ownRate() {
        var queue = TransferQueue(limits: .init(total: 16, perHost: 6))
        add(1...1, of: 1, to: &queue)
        #expect(drain(&queue, at: 0) == [1])
        queue.begin(job(1), at: 0, hasOwnRate: true)
        add(2001...2100, of: 2, to: &queue)
        #expect(drain(&queue, at: 1) == [2001, 2002, 2003, 2004, 2005])
        for number in Int64(2001)...2005 { queue.release(job(number), at: 200_000) }
        #expect(drain(&queue, at: 2) == [2006, 2007, 2008, 2009, 2010])
        #expect(queue.yieldsUntil(now: start.adding(seconds: 2)) == nil)
    }

    @Test("Once the other has had about as much, it goes on beside it")
    func level() {
        var queue = queue()
        for number in Int64(3)...6 { queue.release(job(number), at: 200_000) }
        #expect(drain(&queue, at: 2) == [])
        queue.progress(job(2001), to: 1_000_000)
        #expect(drain(&queue, at: 3) == [7, 8, 9, 10])
    }

    @Test("A file that takes long holds nobody up for longer than ten seconds")
    func longest() {
        var queue = queue()
        queue.release(job(3), at: 200_000)
        #expect(drain(&queue, at: 10.9) == [])
        #expect(drain(&queue, at: 11) == [7])
    }

    @Test("Other hosts and other priorities are not held up")
    func others() {
        var queue = queue()
        add(5001...5002, of: 1, host: "b", to: &queue)
        #expect(drain(&queue, at: 2) == [5001, 5002])
        add(6001...6001, of: 1, priority: 1, to: &queue)
        queue.release(job(3), at: 200_000)
        #expect(drain(&queue, at: 2) == [6001])
    }

    @Test("Whatever is removed and released, those that yield go on and none is forgotten", arguments: 1...8)
    func random(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var queue = TransferQueue(limits: .init(total: 5, perHost: 3))
        var waiting: Set<Int64> = []
        for number in Int64(1)...400 {
            let flow = Int64.random(in: 1...4, using: &generator)
            let host = ["a", "b"].randomElement(using: &generator) ?? "a"
            add(number...number, of: flow, host: host, priority: Int(number % 2), to: &queue)
            waiting.insert(number)
        }
        var active: [Int64] = []
        var seconds = 0.0
        while !waiting.isEmpty || !active.isEmpty {
            seconds += Double.random(in: 0...4, using: &generator)
            let removes = Int.random(in: 0...9, using: &generator) == 0
            if removes, let gone = waiting.sorted().randomElement(using: &generator) {
                queue.remove(job(gone))
                waiting.remove(gone)
            }
            for next in drain(&queue, at: seconds) {
                #expect(waiting.remove(next) != nil)
                active.append(next)
            }
            guard !active.isEmpty else {
                #expect(waiting.isEmpty, "nobody waits for nothing")
                break
            }
            let ended = active.remove(at: Int.random(in: 0..<active.count, using: &generator))
            queue.release(job(ended), at: Int64.random(in: 0...2_000_000, using: &generator))
        }
        #expect(queue.queuedCount == 0 && queue.activeCount == 0 && queue.hostCount == 0)
    }
}
