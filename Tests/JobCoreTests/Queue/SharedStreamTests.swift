import TestSupport
import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

@Suite("Permits for requests that share a connection")
struct SharedStreamTests {
    private static let now = Moment(microseconds: 1_795_243_503_000_000)
    private static let good = StreamNews.served(milliseconds: 60, whole: 5)

    private func queue(total: Int = 16, streams: Int = 32, rules: HostRules = HostRules()) -> TransferQueue {
        TransferQueue(limits: .init(total: total, perHost: 6, streams: streams), rules: rules)
    }

    /// Adds jobs, and returns them.
    @discardableResult
    private func add(_ count: Int, to host: String, from first: Int, _ queue: inout TransferQueue) -> [JobID]
    {
        let jobs = (first..<first + count).map { JobID(rawValue: Int64($0)) }
        for job in jobs { queue.enqueue(job, host: host, priority: 0) }
        return jobs
    }

    private func drain(_ queue: inout TransferQueue) -> [JobID] {
        var jobs: [JobID] = []
        while let job = queue.next(now: Self.now) { jobs.append(job) }
        return jobs
    }

    /// Ends so many transfers of a host, each with good news, and returns those under way after that.
    private func serve(
        _ count: Int,
        of host: String,
        _ active: [JobID],
        _ queue: inout TransferQueue
    ) -> [JobID] {
        var active = active
        for _ in 0..<count where !active.isEmpty {
            queue.hostShares(host, Self.good)
            queue.release(active.removeFirst())
            active += drain(&queue)
        }
        return active
    }

    @Test("A host gets what it may have connections, then more with each answer, up to the setting")
    func grows() {
        var queue = queue()
        add(200, to: "a:443", from: 1, &queue)
        var active = drain(&queue)
        #expect(active.count == 6)
        active = serve(1, of: "a:443", active, &queue)
        #expect(active.count == 7)
        active = serve(60, of: "a:443", active, &queue)
        #expect(active.count == 32)
        #expect(queue.hostStatuses(now: Self.now).map(\.streams) == [32])
        queue.hostShares("a:443", .refused)
        active = serve(15, of: "a:443", active, &queue)
        #expect(active.count == 17, "no more are begun until there are fewer")
        queue.hostShares("a:443", .alone)
        active = serve(0, of: "a:443", active, &queue)
        for job in active { queue.release(job) }
        #expect(queue.load.spared == 0)
        #expect(drain(&queue).count == 6)
    }

    @Test("Those that share a connection leave the permits of all transfers to other hosts")
    func shared() {
        var queue = queue()
        add(200, to: "a:443", from: 1, &queue)
        var active = serve(60, of: "a:443", drain(&queue), &queue)
        #expect(active.count == 32)
        for host in 0..<10 { add(6, to: "h\(host):80", from: 1000 + host * 10, &queue) }
        let others = drain(&queue)
        #expect(others.count == 15, "the shared connection counts as one of 16")
        active = serve(40, of: "a:443", active, &queue)
        #expect(active.filter { $0.rawValue < 1000 }.count <= 32)
        #expect(queue.activeCount - queue.load.spared <= 16)
        for job in active + others { queue.release(job) }
        for job in drain(&queue) { queue.release(job) }
        #expect(queue.load.spared == 0)
    }

    @Test(
        "In all there are no more than twelve times as many as the settings allow, and one alone where that is it"
    )
    func bound() {
        var queue = queue()
        var active: [String: [JobID]] = [:]
        for host in 0..<8 {
            let name = "h\(host):443"
            add(400, to: name, from: host * 1000 + 1, &queue)
        }
        for job in drain(&queue) { active["h\(job.rawValue / 1000):443", default: []].append(job) }
        for _ in 0..<200 {
            for (name, jobs) in active {
                guard let job = jobs.first else { continue }
                queue.hostShares(name, Self.good)
                queue.release(job)
                active[name]?.removeFirst()
                for job in drain(&queue) { active["h\(job.rawValue / 1000):443", default: []].append(job) }
                #expect(queue.activeCount <= 176)
                #expect(queue.activeCount - queue.load.spared <= 16)
            }
        }
        #expect(queue.activeCount > 128)
        var single = self.queue(total: 1)
        add(20, to: "a:443", from: 1, &single)
        #expect(serve(10, of: "a:443", drain(&single), &single).count == 1)
    }

    @Test(
        "One host alone gets as many as the settings say, up to eleven times as many as there are in all",
        arguments: [(16, 100, 100), (16, 32, 32), (6, 100, 66), (8, 40, 40)]
    )
    func wide(total: Int, streams: Int, most: Int) {
        var queue = queue(total: total, streams: streams)
        add(2000, to: "a:443", from: 1, &queue)
        #expect(serve(1000, of: "a:443", drain(&queue), &queue).count == most)
        for host in 0..<total { add(1, to: "h\(host):80", from: 3000 + host, &queue) }
        #expect(drain(&queue).count == total - 1, "all of it counts as one")
    }

    @Test("Wide hosts that hang leave permits to others")
    func hanging() {
        var queue = queue()
        for (host, first) in [("a:443", 1), ("b:443", 1000), ("c:443", 2000)] {
            add(200, to: host, from: first, &queue)
        }
        for _ in 0..<5 {
            _ = drain(&queue)
            for host in ["a:443", "b:443", "c:443"] {
                for _ in 0..<40 { queue.hostShares(host, Self.good) }
            }
        }
        #expect(queue.activeCount == 96)
        for host in 0..<4 { add(6, to: "h\(host):80", from: 3000 + host * 10, &queue) }
        #expect(drain(&queue).count == 13, "the three count as one each, of 16")
        // Each that ends makes room for the next one.
        for job in queue.activeJobs { queue.release(job) }
        var rest = 0
        while case let jobs = drain(&queue), !jobs.isEmpty {
            rest += jobs.count
            for job in jobs { queue.release(job) }
        }
        #expect(queue.queuedCount == 0 && queue.activeCount == 0 && rest > 500)
    }

    @Test("A host with a number of its own is asked no more at once; without streams, none is")
    func unshared() {
        var own = queue(rules: HostRules(named: ["a": HostLimits(perHost: 2)]))
        add(50, to: "a:443", from: 1, &own)
        #expect(serve(20, of: "a:443", drain(&own), &own).count == 2)
        var off = queue(streams: 1)
        add(50, to: "a:443", from: 1, &off)
        #expect(serve(20, of: "a:443", drain(&off), &off).count == 6)
        #expect(off.hostStatuses(now: Self.now).map(\.streams) == [nil])
    }

    @Test("New settings hold from the next permit on")
    func reconfigured() {
        var queue = queue()
        add(300, to: "a:443", from: 1, &queue)
        var active = serve(60, of: "a:443", drain(&queue), &queue)
        queue.setLimits(.init(total: 16, perHost: 6, streams: 8))
        #expect(queue.load.spared == 31)
        active = serve(24, of: "a:443", active, &queue)
        #expect(active.count == 8)
        queue.setLimits(.init(total: 16, perHost: 6, streams: 1))
        #expect(queue.load.spared == 0)
        active = serve(3, of: "a:443", active, &queue)
        #expect(active.count == 6)
    }

    @Test("What is known of a host outlives its jobs, and a host that asks to wait is asked alone again")
    func remembered() {
        var queue = queue()
        add(60, to: "a:443", from: 1, &queue)
        var active = drain(&queue)
        while !active.isEmpty { active = serve(1, of: "a:443", active, &queue) }
        #expect(queue.hostCount == 0)
        add(60, to: "a:443", from: 100, &queue)
        active = drain(&queue)
        #expect(active.count == 32)
        _ = queue.hostAsksToWait("a:443", seconds: 5, job: active[0], reason: "busy", now: Self.now)
        queue.hostShares("a:443", .unwilling)
        for job in active { queue.release(job) }
        #expect(drain(&queue).isEmpty)
        #expect(queue.next(now: Self.now.adding(seconds: 6)) != nil)
        #expect(queue.next(now: Self.now.adding(seconds: 6)) == nil)
    }

    @Test("No more is remembered of hosts without jobs than there is room for")
    func forgotten() {
        var queue = queue()
        for host in 0..<HostTable.mostRestingStreams + 10 {
            let jobs = add(1, to: "h\(host):443", from: host + 1, &queue)
            _ = drain(&queue)
            queue.hostShares("h\(host):443", Self.good)
            queue.release(jobs[0])
        }
        #expect(queue.hosts.restingStreams.count <= HostTable.mostRestingStreams)
    }

    @Test("Random news of random hosts: the counts stay those of the permits", arguments: 1...8)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = queue(total: 12)
        let names = (0..<5).map { "h\($0):443" }
        var hostOf: [JobID: String] = [:]
        var next: Int64 = 0
        func add(_ name: String) {
            next += 1
            hostOf[JobID(rawValue: next)] = name
            queue.enqueue(JobID(rawValue: next), host: name, priority: 0)
        }
        for name in names { for _ in 0..<60 { add(name) } }
        for _ in 0..<3000 {
            _ = drain(&queue)
            #expect(queue.activeCount <= 48)
            guard let job = queue.activeJobs.min(), let name = hostOf[job] else { continue }
            let news: [StreamNews] = [
                Self.good, Self.good, Self.good, Self.good, .crowded, .refused, .large, .unwilling, .alone,
            ]
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                queue.hostShares(name, news.randomElement(using: &generator) ?? .alone)
            }
            queue.release(job)
            add(name)
            if Int.random(in: 0..<50, using: &generator) == 0 {
                let streams = Int.random(in: 1...40, using: &generator)
                queue.setLimits(.init(total: 12, perHost: 6, streams: streams))
            }
            let counted = queue.load.spared
            queue.recount()
            #expect(queue.load.spared == counted)
        }
        for job in queue.activeJobs { queue.release(job) }
        #expect(queue.load.spared == 0)
    }
}
