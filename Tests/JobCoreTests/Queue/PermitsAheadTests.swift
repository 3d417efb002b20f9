import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobCore

@Suite("Permits that wait for another transfer of their host")
struct PermitsAheadTests {
    private func job(_ number: Int) -> JobID { JobID(rawValue: Int64(number)) }

    private func drain(_ queue: inout TransferQueue, now: Moment? = nil) -> [Int64] {
        var jobs: [Int64] = []
        while let job = queue.next(now: now) { jobs.append(job.rawValue) }
        return jobs
    }

    /// Has transfers of all hosts just ended, one after the other.
    private func makeQuick(_ queue: inout TransferQueue) {
        for host in queue.hosts.all.keys {
            for time in 1...2 { queue.noteEnd(at: host, now: Moment(microseconds: Int64(time))) }
        }
    }

    @Test("are given at a host's limit, say so, and take no room from other hosts")
    func besideOthers() {
        var queue = TransferQueue(limits: .init(total: 3, perHost: 2, ahead: 2))
        for number in 1...6 { queue.enqueue(job(number), host: "a:80", priority: 0) }
        queue.enqueue(job(7), host: "b:80", priority: 0)
        makeQuick(&queue)
        #expect(drain(&queue) == [1, 2, 3, 4, 7])
        #expect(queue.underWayCount == 3)
        #expect(queue.turn(of: job(3)) == TransferTurn(host: "a:80", most: 2))
        #expect(queue.hostStatus("a:80")?.active ?? 2 == 2)
        queue.release(job(1))
        #expect(drain(&queue) == [5])
        for number in [2, 3, 4, 5, 7] { queue.release(job(number)) }
        #expect(drain(&queue) == [6])
        #expect(queue.underWayCount == 1 && queue.aheadCount == 0)
    }

    @Test("wait, once fewer may be under way at once, for those that were begun while more might")
    func narrowed() {
        var queue = TransferQueue(limits: .init(total: 16, perHost: 2, streams: 32, ahead: 2))
        for number in 1...20 { queue.enqueue(job(number), host: "a:443", priority: 0) }
        _ = drain(&queue)
        for _ in 1...3 { queue.hostShares("a:443", .served(milliseconds: 60, whole: 5)) }
        makeQuick(&queue)
        #expect(drain(&queue) == [3, 4, 5])
        #expect(queue.turn(of: job(1)) == TransferTurn(host: "a:443", most: 5), "counted, and not waiting")
        queue.hostShares("a:443", .refused)
        for number in 1...2 { queue.release(job(number)) }
        #expect(drain(&queue) == [6])
        #expect(queue.turn(of: job(6)) == TransferTurn(host: "a:443", most: 2))
    }

    @Test("go to nobody who is next where a permit of another host is of use, and there is none")
    func full() {
        var queue = TransferQueue(limits: .init(total: 2, perHost: 2, ahead: 2))
        for number in [1, 2, 4, 5] { queue.enqueue(job(number), host: "a:80", priority: 0) }
        queue.enqueue(job(3), host: "b:80", priority: 0)
        makeQuick(&queue)
        #expect(drain(&queue) == [1, 2])
        queue.release(job(1))
        #expect(drain(&queue) == [3])
        queue.release(job(2))
        #expect(drain(&queue) == [4])
    }

    @Test("are given back for what somebody looks at")
    func attention() {
        var queue = TransferQueue(limits: .init(total: 4, perHost: 1, ahead: 2))
        for number in 1...6 { queue.enqueue(job(number), host: "a:80", priority: 0) }
        makeQuick(&queue)
        #expect(drain(&queue) == [1, 2, 3])
        #expect(queue.takeRecalls().isEmpty)
        queue.attend([job(6): .visible], changed: [job(6)])
        #expect(queue.takeRecalls() == [1, 2, 3].map(job))
        #expect(queue.takeRecalls().isEmpty)
        for number in [2, 3] { queue.release(job(number)) }
        #expect(drain(&queue).isEmpty)
        queue.release(job(1))
        #expect(drain(&queue) == [6])
    }

    @Test("are given back for what has a higher priority at their host, each once, and for nothing else")
    func priority() {
        var queue = TransferQueue(limits: .init(total: 9, perHost: 1, ahead: 2))
        for number in 1...6 { queue.enqueue(job(number), host: "a:80", priority: number == 3 ? 2 : 1) }
        makeQuick(&queue)
        #expect(drain(&queue) == [3, 1, 2])
        let others = [("a:80", 1), ("a:80", -5), ("b:80", 9)]
        for (place, (host, priority)) in others.enumerated() {
            queue.enqueue(job(7 + place), host: host, priority: priority)
        }
        #expect(queue.takeRecalls().isEmpty)
        queue.enqueue(job(10)...job(12), host: "a:80", priority: 2, of: .batch(BatchID(rawValue: 1)))
        #expect(queue.takeRecalls() == [1, 2].map(job))
        queue.enqueue(job(4), host: "a:80", priority: 9)
        #expect(queue.takeRecalls() == [job(3)])
        for number in [1, 2] {
            queue.noteUnsent(job(number))
            queue.release(job(number))
            queue.enqueue(job(number), host: "a:80", priority: 1)
        }
        #expect(queue.takeRecalls().isEmpty)
        #expect(drain(&queue) == [4, 9, 10])
    }

    @Test("are thought to be those that were given last, of those that have no answer")
    func guess() {
        var queue = TransferQueue(limits: .init(total: 9, perHost: 2, ahead: 2))
        for number in 1...9 { queue.enqueue(job(number), host: "a:80", priority: 0) }
        queue.enqueue(job(10), host: "b:80", priority: 0)
        makeQuick(&queue)
        #expect(drain(&queue) == [1, 2, 3, 4, 10])
        #expect(queue.jobsAhead { _ in true } == [job(3), job(4)])
        #expect(queue.jobsAhead { $0 != job(4) } == [job(2), job(3)])
        queue.release(job(1))
        #expect(queue.jobsAhead { _ in true } == [job(4)])
        queue.release(job(3))
        #expect(queue.jobsAhead { _ in true }.isEmpty)
    }

    @Test("that come back unused say nothing of how closely a host's files follow each other")
    func unused() {
        var queue = TransferQueue(limits: .init(total: 4, perHost: 1, ahead: 1))
        for number in 1...9 { queue.enqueue(job(number), host: "a:80", priority: 0) }
        #expect(drain(&queue, now: Moment(microseconds: 0)) == [1])
        for (number, next) in [(1, [2]), (2, [3])] {
            let now = Moment(microseconds: Int64(number) * 1000)
            queue.noteUnsent(job(number))
            queue.release(job(number), now: now)
            #expect(drain(&queue, now: now) == next.map(Int64.init))
        }
    }

    @Test("aren't given where the next request has to wait for a host's pace, or for what it has asked")
    func paced() throws {
        var queue = TransferQueue(limits: .init(total: 4, perHost: 1, ahead: 2))
        queue.setRules(HostRules(standard: HostLimits(pace: Pace(requests: 1, per: 1))))
        let now = Moment(microseconds: 0)
        for number in 1...3 { queue.enqueue(job(number), host: "a:80", priority: 0) }
        makeQuick(&queue)
        #expect(drain(&queue, now: now) == [1])

        var asked = TransferQueue(limits: .init(total: 4, perHost: 1, ahead: 1))
        for number in 1...4 { asked.enqueue(job(number), host: "a:80", priority: 0) }
        makeQuick(&asked)
        #expect(drain(&asked, now: now) == [1, 2])
        _ = asked.hostAsksToWait("a:80", seconds: 9, job: job(1), reason: "429", now: now)
        asked.release(job(1))
        #expect(drain(&asked, now: now).isEmpty)
    }

    @Test("are given where a host's transfers end within half a second of each other")
    func quickness() {
        var queue = TransferQueue(limits: .init(total: 4, perHost: 1, ahead: 1))
        for number in 1...9 { queue.enqueue(job(number), host: "a:80", priority: 0) }
        func end(_ number: Int, after milliseconds: Int64) -> [Int64] {
            let now = Moment(microseconds: milliseconds * 1000)
            queue.release(job(number), now: now)
            return drain(&queue, now: now)
        }
        #expect(drain(&queue, now: Moment(microseconds: 0)) == [1])
        #expect(end(1, after: 100) == [2])
        #expect(end(2, after: 300) == [3, 4])
        #expect(end(3, after: 500) == [5])
        #expect(end(4, after: 1500) == [])
        #expect(end(5, after: 3000) == [6])
    }

    @Test("bring back no more jobs than there are permits, however many have been released")
    func manyEnds() {
        var queue = TransferQueue(limits: .init(total: 64, perHost: 64, ahead: 64))
        let jobs = job(1)...job(400)
        queue.enqueue(jobs, host: "a:80", priority: 0, of: .batch(BatchID(rawValue: 1)))
        makeQuick(&queue)
        #expect(drain(&queue).count == 128)
        for number in 1...60 { queue.release(job(number), now: Moment(microseconds: 9)) }
        #expect(queue.next()?.rawValue == 129)
        #expect(queue.ready.count <= 60)
        #expect(drain(&queue).count == 59)
    }

    @Test("keep to every limit, whoever begins and ends", arguments: 1...20)
    func limits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = TransferQueue(limits: .init(total: 5, perHost: 2, ahead: 3))
        for number in 1...300 {
            queue.enqueue(job(number), host: "h\(Int.random(in: 0..<6, using: &random)):80", priority: 0)
        }
        makeQuick(&queue)
        var active = drain(&queue).map { JobID(rawValue: $0) }
        var count = active.count
        while let ended = active.randomElement(using: &random) {
            active.removeAll { $0 == ended }
            queue.release(ended)
            let next = drain(&queue).map { JobID(rawValue: $0) }
            active += next
            count += next.count
            #expect(queue.underWayCount <= 5 && queue.activeCount == active.count)
            let hosts = Dictionary(grouping: active) { queue.turn(of: $0)?.host }
            #expect(hosts.values.allSatisfy { $0.count <= 5 })
            #expect(hosts.values.reduce(0) { $0 + max(0, $1.count - 2) } == queue.aheadCount)
        }
        #expect(count == 300 && queue.queuedCount == 0 && queue.aheadCount == 0)
    }
}
