import TestSupport
import Testing
import Vocabulary

@testable import JobCore
@testable import JobModel

/// Random answers of random hosts: a queue with many of them, and beside it what each may be asked.
@Suite("Hosts that answer as they like")
struct HostModelTests {
    /// A host as it is out there.
    private struct Model {
        var pace: Pace?
        /// The time before which it asked not to be asked, until it has answered the request that went first.
        var heldUntil: Moment?
        /// The job whose request went first.
        var first: JobID?
        var begun: [Moment] = []
        var active: Set<JobID> = []
    }

    @Test(
        "Never more than the pace, one request after a hold, and no host waits for another",
        arguments: 1...12
    )
    func run(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let names = (1...8).map { "h\($0).example:80" }
        let paces: [Pace?] = [nil, Pace(requests: 2, per: 1), Pace(requests: 30, per: 60), nil]
        var rules: [String: HostLimits] = [:]
        var models: [String: Model] = [:]
        for (index, name) in names.enumerated() {
            let pace = paces[index % paces.count]
            models[name] = Model(pace: pace)
            rules["h\(index + 1).example"] = HostLimits(pace: pace)
        }
        // Room for all of them, so that nobody waits for permits of others.
        var queue = TransferQueue(limits: .init(total: 100, perHost: 4), rules: HostRules(named: rules))
        var hostOf: [JobID: String] = [:]
        var nextJob: Int64 = 0
        var now = Moment(microseconds: 1_795_243_503_000_000)
        let flow = Flow.batch(BatchID(rawValue: 1))
        func add(to name: String) {
            nextJob += 1
            let job = JobID(rawValue: nextJob)
            hostOf[job] = name
            queue.enqueue(job, host: name, priority: 0, of: flow)
        }
        for name in names { for _ in 1...20 { add(to: name) } }
        var served = 0
        for _ in 0..<3000 {
            now = now.adding(seconds: Double.random(in: 0...0.5, using: &generator))
            while let job = queue.next(now: now) {
                let name = try #require(hostOf[job])
                var model = try #require(models[name])
                if let until = model.heldUntil {
                    #expect(now >= until, "\(name) is asked before its time")
                    #expect(model.first == nil, "\(name) is asked twice after its time")
                    model.first = job
                }
                model.begun.append(now)
                model.active.insert(job)
                models[name] = model
            }
            for (name, model) in models where model.pace == nil && model.active.isEmpty {
                #expect(model.heldUntil.map { now < $0 } ?? false, "\(name) waits for nothing")
            }
            for name in names {
                guard var model = models[name], let job = model.active.min(),
                    Int.random(in: 0..<3, using: &generator) > 0
                else { continue }
                model.active.remove(job)
                switch Int.random(in: 0..<20, using: &generator) {
                case 0...1:
                    let isTold = Bool.random(using: &generator)
                    let asked = isTold ? Double.random(in: 1...60, using: &generator) : nil
                    let until = queue.hostAsksToWait(name, seconds: asked, job: job, reason: "busy", now: now)
                    #expect(until > now)
                    (model.heldUntil, model.first) = (until, nil)
                case 2:
                    // It breaks off without an answer.
                    if model.first == job { model.first = nil }
                default:
                    queue.hostAnswered(name, job: job, now: now)
                    served += 1
                    if model.first == job { (model.heldUntil, model.first) = (nil, nil) }
                }
                models[name] = model
                queue.release(job)
                add(to: name)
            }
        }
        #expect(served > 500, "\(served)")
        for (name, model) in models {
            guard let pace = model.pace else { continue }
            let burst = Double(max(1, pace.requests / pace.seconds))
            for (index, first) in model.begun.enumerated() {
                guard let last = model.begun.dropFirst(index + 20).first else { break }
                let most =
                    last.seconds(since: first) * Double(pace.requests) / Double(pace.seconds) + burst + 0.01
                #expect(Double(21) <= most + 1, "\(name) is asked too often")
            }
        }
    }

    @Test("A held host, and one at its pace, cost others nothing, and are woken in time")
    func woken() throws {
        var queue = TransferQueue(
            limits: .init(total: 4, perHost: 2),
            rules: HostRules(named: ["slow.example": HostLimits(pace: Pace(requests: 1, per: 10))])
        )
        var now = Moment(microseconds: 1_795_243_503_000_000)
        for number in Int64(1)...3 {
            queue.enqueue(JobID(rawValue: number), host: "slow.example:80", priority: 9)
        }
        for number in Int64(4)...6 {
            queue.enqueue(JobID(rawValue: number), host: "held.example:80", priority: 9)
        }
        for number in Int64(7)...9 {
            queue.enqueue(JobID(rawValue: number), host: "other.example:80", priority: 0)
        }
        _ = queue.hostAsksToWait(
            "held.example:80",
            seconds: 15,
            job: JobID(rawValue: 0),
            reason: "b",
            now: now
        )
        func drain() -> [Int64] {
            var jobs: [Int64] = []
            while let job = queue.next(now: now) { jobs.append(job.rawValue) }
            return jobs
        }
        #expect(drain() == [1, 7, 8])
        #expect(queue.opensAt(now: now) == now.adding(seconds: 10))
        now = now.adding(seconds: 10)
        #expect(drain() == [2])
        for job in [1, 2, 7, 8] as [Int64] { queue.release(JobID(rawValue: job)) }
        #expect(drain() == [9])
        now = now.adding(seconds: 5)
        #expect(drain() == [4], "one goes first")
        queue.hostAnswered("held.example:80", job: JobID(rawValue: 4), now: now)
        queue.release(JobID(rawValue: 4))
        #expect(drain() == [5], "and then one after the other")
        queue.release(JobID(rawValue: 9))
        now = now.adding(seconds: 5)
        #expect(drain() == [3])
    }

    @Test("A host keeps its hold and its pace while nothing of it waits here")
    func resting() {
        var queue = TransferQueue(
            limits: .init(total: 4, perHost: 2),
            rules: HostRules(standard: HostLimits(pace: Pace(requests: 1, per: 10)))
        )
        let now = Moment(microseconds: 1_795_243_503_000_000)
        queue.enqueue(JobID(rawValue: 1), host: "a:80", priority: 0)
        let first = queue.next(now: now)
        #expect(first == JobID(rawValue: 1))
        let until = queue.hostAsksToWait("a:80", seconds: 60, job: JobID(rawValue: 1), reason: "b", now: now)
        queue.release(JobID(rawValue: 1))
        #expect(queue.hostCount == 0)
        #expect(queue.hostStatuses(now: now).map(\.waiting?.until) == [until])
        queue.enqueue(JobID(rawValue: 2), host: "a:80", priority: 0)
        let early = queue.next(now: now.adding(seconds: 59))
        let due = queue.next(now: now.adding(seconds: 60))
        #expect(early == nil && due == JobID(rawValue: 2))
    }

    @Test("The hold of a host is told until it may be asked again, with jobs or without")
    func ended() {
        var queue = TransferQueue(limits: .init(total: 4, perHost: 2))
        let now = Moment(microseconds: 1_795_243_503_000_000)
        queue.enqueue(JobID(rawValue: 1), host: "a:80", priority: 0)
        let first = queue.next(now: now)
        #expect(first == JobID(rawValue: 1))
        // One with jobs here, and one where a redirect has led to.
        let until = queue.hostAsksToWait("a:80", seconds: 60, job: JobID(rawValue: 1), reason: "b", now: now)
        _ = queue.hostAsksToWait("b:80", seconds: 90, job: JobID(rawValue: 1), reason: "b", now: now)
        #expect(queue.heldHosts(atMost: 9).map(\.host) == ["a:80", "b:80"])
        queue.release(JobID(rawValue: 1))
        #expect(queue.heldHosts(atMost: 9).map(\.host) == ["a:80", "b:80"])
        #expect(queue.opensAt(now: now) == until)
        _ = queue.next(now: until)
        #expect(queue.heldHosts(atMost: 9).map(\.host) == ["b:80"])
        // Whoever waits for it hears of it until one has been answered.
        queue.enqueue(JobID(rawValue: 2), host: "a:80", priority: 0)
        #expect(queue.heldHosts(atMost: 9).map(\.host) == ["a:80", "b:80"])
        let second = queue.next(now: until)
        #expect(second == JobID(rawValue: 2))
        queue.hostAnswered("a:80", job: JobID(rawValue: 2), now: until)
        _ = queue.next(now: now.adding(seconds: 90))
        #expect(queue.heldHosts(atMost: 9).isEmpty && queue.opensAt(now: now) == nil)
    }

    @Test("Hosts that have asked to wait are forgotten in the end, however many there are")
    func forgotten() {
        var queue = TransferQueue(limits: .init(total: 4, perHost: 2))
        var now = Moment(microseconds: 1_795_243_503_000_000)
        for number in 1...5000 {
            _ = queue.hostAsksToWait(
                "h\(number):80",
                seconds: 1,
                job: JobID(rawValue: 1),
                reason: "b",
                now: now
            )
        }
        #expect(queue.heldHosts(atMost: 100).count == 100)
        now = now.adding(seconds: 2 * HostPatience.guessedWaits.upperBound)
        _ = queue.next(now: now)
        #expect(queue.heldHosts(atMost: 100).isEmpty && queue.hosts.resting.isEmpty)
    }

    @Test(
        "Never more than the pace in any time, with redirects and segments, and each request goes in the end",
        arguments: 1...12
    )
    func everyRequest(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let paces: [String: Pace] = [
            "a": Pace(requests: 2, per: 1), "b": Pace(requests: 30, per: 60), "c": Pace(requests: 50, per: 1),
            "d": Pace(requests: 1, per: 7),
        ]
        let names = ["a", "b", "c", "d", "free"]
        var gate = PaceGate<Int>()
        var now = Moment(microseconds: 1_795_243_503_000_000)
        var sent: [String: [Moment]] = [:]
        var hostOf: [Int: String] = [:]
        var waiting: Set<Int> = []
        func send(_ request: Int) throws {
            sent[try #require(hostOf[request]), default: []].append(now)
            waiting.remove(request)
        }
        for request in 0..<2000 {
            now = now.adding(seconds: Double.random(in: 0...0.2, using: &generator))
            for due in gate.takeDue(now: now, pace: { paces[$0] }) { try send(due) }
            let name = try #require(names.randomElement(using: &generator))
            hostOf[request] = name
            waiting.insert(request)
            let isOpen = gate.isOpen(at: name, pace: paces[name], now: now)
            let passes = gate.passes(request, to: name, pace: paces[name], now: now)
            #expect(isOpen == passes && (passes || name != "free"))
            if passes { try send(request) }
            // Some are given up while they wait.
            if let given = waiting.randomElement(using: &generator), Bool.random(using: &generator) {
                gate.removeAll { $0 == given }
                waiting.remove(given)
            }
        }
        while let next = gate.opensAt(now: now) {
            #expect(next >= now)
            now = next
            for due in gate.takeDue(now: now, pace: { paces[$0] }) { try send(due) }
        }
        #expect(waiting.isEmpty && gate.isEmpty)
        for (name, pace) in paces {
            let times = sent[name] ?? []
            let interval = Double(pace.seconds) / Double(pace.requests)
            let burst = max(1, pace.requests / pace.seconds)
            #expect(times.count > burst)
            for (first, last) in zip(times, times.dropFirst(burst)) {
                #expect(last.seconds(since: first) > interval - 0.0001, "\(name): \(burst + 1) in no time")
            }
            for (index, first) in times.enumerated() {
                for (count, last) in times.dropFirst(index + 1).enumerated() {
                    let allowed = Double(burst) + last.seconds(since: first) / interval
                    if Double(count + 2) > allowed + 1 { Issue.record("\(name) is asked too often") }
                }
            }
        }
    }

    @Test("Whoever is sent away comes back in a turn of its own")
    func turns() {
        var gate = PaceGate<Int>()
        let now = Moment(microseconds: 1_795_243_503_000_000)
        let pace = Pace(requests: 6, per: 60)
        for request in 1...4 { _ = gate.passes(request, to: "a", pace: pace, now: now) }
        let turns = (0..<3).map { _ in gate.reserve(at: "a", pace: pace, now: now) }
        #expect(turns == [40, 50, 60])
        let later = now.adding(seconds: 55)
        gate.removeAll { _ in true }
        #expect(gate.reserve(at: "a", pace: pace, now: later) == 15, "the others' turns are still to come")
        let last = (0..<100_000).map { _ in gate.reserve(at: "a", pace: pace, now: later) }.max()
        #expect(last == PaceGate<Int>.longestTurn)
    }

    @Test("A pace that the settings take back lets go what waits for it, and another one holds from then on")
    func changedPace() {
        var gate = PaceGate<Int>()
        let now = Moment(microseconds: 1_795_243_503_000_000)
        let slow = Pace(requests: 1, per: 3600)
        let first = gate.passes(1, to: "a", pace: slow, now: now)
        let second = gate.passes(2, to: "a", pace: slow, now: now)
        let third = gate.passes(3, to: "a", pace: slow, now: now)
        #expect(first && !second && !third)
        #expect(gate.wait(at: "a", pace: slow, now: now) == 3 * 3600)
        let faster = gate.takeDue(now: now) { _ in Pace(requests: 1, per: 1) }
        #expect(faster == [2])
        let all = gate.takeDue(now: now) { _ in nil }
        #expect(all == [3] && gate.isEmpty && gate.opensAt(now: now) == nil)
    }
}
