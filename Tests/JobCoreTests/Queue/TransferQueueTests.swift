import JobCore
import TestSupport
import Testing

struct TransferQueueTests {
    private func job(_ number: Int64) -> JobID { JobID(rawValue: number) }

    private func drain(_ queue: inout TransferQueue) -> [Int64] {
        var jobs: [Int64] = []
        while let job = queue.next() { jobs.append(job.rawValue) }
        return jobs
    }

    @Test("Higher priority goes first, then the older job")
    func order() {
        var queue = TransferQueue(limits: .init(total: 10, perHost: 10))
        queue.enqueue(job(1), host: "a", priority: 0)
        queue.enqueue(job(2), host: "a", priority: 5)
        queue.enqueue(job(3), host: "b", priority: 5)
        queue.enqueue(job(4), host: "b", priority: -1)
        #expect(drain(&queue) == [2, 3, 1, 4])
    }

    @Test("No more than the limits are under way, and a full host doesn't hold up others")
    func limits() {
        var queue = TransferQueue(limits: .init(total: 3, perHost: 2))
        for number in 1...5 { queue.enqueue(job(Int64(number)), host: "a", priority: 0) }
        queue.enqueue(job(6), host: "b", priority: 0)
        #expect(drain(&queue) == [1, 2, 6])
        queue.release(job(6))
        #expect(drain(&queue) == [])
        queue.release(job(2))
        #expect(drain(&queue) == [3])
        #expect(queue.activeCount == 2)
        #expect(queue.queuedCount == 2)
    }

    @Test("A job that was taken out gets no slot, and its host loses none")
    func remove() {
        var queue = TransferQueue(limits: .init(total: 9, perHost: 1))
        for number in 1...3 { queue.enqueue(job(Int64(number)), host: "a", priority: 0) }
        #expect(drain(&queue) == [1])
        queue.remove(job(2))
        queue.release(job(1))
        #expect(drain(&queue) == [3])
    }

    @Test("A new priority moves a queued job, also one whose host is busy")
    func move() {
        var queue = TransferQueue(limits: .init(total: 9, perHost: 1))
        for number in 1...3 { queue.enqueue(job(Int64(number)), host: "a", priority: 0) }
        #expect(drain(&queue) == [1])
        queue.enqueue(job(3), host: "a", priority: 9)
        queue.release(job(1))
        #expect(drain(&queue) == [3])
        queue.release(job(3))
        #expect(drain(&queue) == [2])
        queue.release(job(2))
        #expect(drain(&queue) == [])
    }

    @Test("Releasing what has no slot, and queueing what has one, change nothing")
    func illegal() {
        var queue = TransferQueue(limits: .init(total: 1, perHost: 1))
        queue.release(job(7))
        queue.enqueue(job(1), host: "a", priority: 0)
        #expect(drain(&queue) == [1])
        queue.enqueue(job(1), host: "a", priority: 0)
        #expect(queue.queuedCount == 0)
        queue.release(job(1))
        queue.release(job(1))
        #expect(queue.activeCount == 0)
    }

    @Test("Wider limits let waiting jobs go, narrower ones let running jobs finish")
    func changedLimits() {
        var queue = TransferQueue(limits: .init(total: 4, perHost: 1))
        for number in 1...4 { queue.enqueue(job(Int64(number)), host: "a", priority: 0) }
        #expect(drain(&queue) == [1])
        queue.setLimits(.init(total: 4, perHost: 3))
        #expect(drain(&queue) == [2, 3])
        queue.setLimits(.init(total: 1, perHost: 1))
        queue.release(job(1))
        #expect(drain(&queue) == [])
        queue.release(job(2))
        queue.release(job(3))
        #expect(drain(&queue) == [4])
    }

    @Test("Whatever comes, the limits hold and every job gets its slot once", arguments: 1...20)
    func randomWalk(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limits = TransferQueue.Limits(total: 5, perHost: 2)
        var queue = TransferQueue(limits: limits)
        var hosts: [JobID: String] = [:]
        var active: Set<JobID> = []
        var waiting: Set<JobID> = []
        for number in 1...400 {
            let id = job(Int64(number))
            hosts[id] = "host\(Int.random(in: 0..<4, using: &generator))"
            queue.enqueue(id, host: hosts[id] ?? "", priority: Int.random(in: -2...2, using: &generator))
            waiting.insert(id)
            if Bool.random(using: &generator), let gone = waiting.min() {
                queue.remove(gone)
                waiting.remove(gone)
            }
            while let next = queue.next() {
                #expect(waiting.remove(next) != nil)
                active.insert(next)
            }
            #expect(active.count <= limits.total)
            for host in Set(hosts.values) {
                #expect(active.filter { hosts[$0] == host }.count <= limits.perHost)
            }
            if let done = active.randomElement(using: &generator) {
                queue.release(done)
                active.remove(done)
            }
        }
        while !active.isEmpty || !waiting.isEmpty {
            for done in active { queue.release(done) }
            active = []
            while let next = queue.next() {
                #expect(waiting.remove(next) != nil)
                active.insert(next)
            }
            guard !active.isEmpty || waiting.isEmpty else {
                Issue.record("jobs are stuck: \(waiting)")
                return
            }
        }
    }
}
