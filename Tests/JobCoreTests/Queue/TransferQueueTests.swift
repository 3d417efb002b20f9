import TestSupport
import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

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

    @Test("A job that was taken out gets no permit, and its host loses none")
    func remove() {
        var queue = TransferQueue(limits: .init(total: 9, perHost: 1))
        for number in 1...3 { queue.enqueue(job(Int64(number)), host: "a", priority: 0) }
        #expect(drain(&queue) == [1])
        queue.remove(job(2))
        queue.release(job(1))
        #expect(drain(&queue) == [3])
    }

    @Test("A job that is taken out when its turn has come leaves its host's permit to the next one")
    func removedInTurn() {
        var queue = TransferQueue(limits: .init(total: 3, perHost: 1))
        for number in Int64(1)...3 { queue.enqueue(JobID(rawValue: number), host: "a", priority: 0) }
        #expect(queue.next() == JobID(rawValue: 1))
        #expect(queue.next() == nil)
        queue.release(JobID(rawValue: 1))
        queue.remove(JobID(rawValue: 2))
        #expect(queue.next() == JobID(rawValue: 3))
    }

    @Test("Jobs that are taken out together leave what is left as it would be without each of them")
    func removedTogether() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            var together = TransferQueue(limits: .init(total: 3, perHost: 2))
            for number in Int64(1)...30 {
                let host = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
                together.enqueue(job(number), host: host, priority: Int.random(in: 0...2, using: &generator))
            }
            var active = (0..<2).compactMap { _ in together.next() }
            var single = together
            let gone = (1...31).filter { _ in Bool.random(using: &generator) }.map { job($0) }
            together.remove(gone)
            for job in gone { single.remove(job) }
            #expect(together.queuedCount == single.queuedCount)
            while true {
                while let next = single.next() {
                    #expect(together.next() == next)
                    active.append(next)
                }
                #expect(together.next() == nil)
                guard let ended = active.popLast() else { break }
                together.release(ended)
                single.release(ended)
            }
            #expect(together.queuedCount == 0 && single.queuedCount == 0)
        }
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

    @Test("Releasing what has no permit, and queueing what has one, change nothing")
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

    @Test("Whatever comes, the limits hold and every job gets its permit once", arguments: 1...20)
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

    @Test("Hosts are forgotten with their last job, however many there have been")
    func hostsGo() {
        var queue = TransferQueue(limits: .init(total: 4, perHost: 1))
        for number in 1...10_000 as ClosedRange<Int64> {
            queue.enqueue(job(number), host: "host\(number)", priority: 0)
            if number.isMultiple(of: 3) { queue.remove(job(number)) }
            if let next = queue.next() { queue.release(next) }
            #expect(queue.hostCount <= 1)
        }
        #expect(queue.hostCount == 0)
        queue.enqueue(job(20_001), host: "a", priority: 0)
        queue.enqueue(job(20_002), host: "b", priority: 0)
        queue.enqueue(job(20_003), host: "a", priority: 0)
        #expect(drain(&queue) == [20_001, 20_002])
        queue.release(job(20_001))
        #expect(drain(&queue) == [20_003])
    }

    @Test("Priorities that go to and fro, and jobs that come and go, leave no more behind than there is")
    func toggled() {
        var queue = TransferQueue(limits: .init(total: 9, perHost: 1))
        for number in 1...100 as ClosedRange<Int64> { queue.enqueue(job(number), host: "a", priority: 0) }
        #expect(drain(&queue) == [1])
        for round in 0..<1000 {
            for number in 2...100 as ClosedRange<Int64> {
                queue.enqueue(job(number), host: "a", priority: round % 2)
                if number == 50 { queue.remove(job(50)) }
                queue.enqueue(job(50), host: "a", priority: -1)
            }
            _ = drain(&queue)
        }
        #expect(queue.entryCount <= 100 * 2 + 1024)
        var order: [Int64] = []
        while let last = order.last ?? 1 as Int64?, order.count < 99 {
            queue.release(job(last))
            order += drain(&queue)
        }
        #expect(order == Array(2...49) + Array(51...100) + [50])
    }

    @Test("What a seeded walk is given agrees with the order told by a list", arguments: 1...8)
    func walk(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = TransferQueue(limits: .init(total: 5, perHost: 2))
        var waiting: [Int64: (host: Int, priority: Int)] = [:]
        var running: [Int64: Int] = [:]
        for _ in 0..<5000 {
            let number = Int64.random(in: 1...60, using: &generator)
            let (host, priority) = (
                Int.random(in: 0...5, using: &generator), Int.random(in: -2...2, using: &generator)
            )
            switch Int.random(in: 0...3, using: &generator) {
            case 0, 1:
                queue.enqueue(job(number), host: "\(host)", priority: priority)
                if running[number] == nil { waiting[number] = (host, priority) }
            case 2:
                queue.remove(job(number))
                waiting[number] = nil
            default:
                queue.release(job(number))
                running[number] = nil
            }
            while true {
                let fits = waiting.filter { entry in running.values.count { $0 == entry.value.host } < 2 }
                let best = fits.min { ($1.value.priority, $0.key) < ($0.value.priority, $1.key) }
                let expected = running.count < 5 ? best : nil
                let next = queue.next()
                #expect(next?.rawValue == expected?.key)
                guard let next = next?.rawValue, let given = waiting.removeValue(forKey: next) else { break }
                running[next] = given.host
            }
            #expect(queue.hostCount == Set(waiting.values.map(\.host)).union(running.values).count)
        }
    }
}
