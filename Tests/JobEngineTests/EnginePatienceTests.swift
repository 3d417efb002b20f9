import EngineSupport
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// What isn't the jobs' fault, through the whole engine.
@Suite("The engine, and what isn't the fault of jobs")
struct EnginePatienceTests {
    private let busy = JobFailure(.http(429), "the server answered 429 Too Many Requests")
    private let unreached = JobFailure(.connectFailed, "nobody answers")

    private func configuration(tries: Int = 2, hosts: HostRules = HostRules()) -> JobEngineConfiguration {
        JobEngineConfiguration(
            transfers: TransferQueue.Limits(total: 8, perHost: 2),
            hosts: hosts,
            retry: RetryPolicy(maximumTries: tries),
            boot: "boot-1"
        )
    }

    private func urls(_ host: String, _ count: Int) -> [String] {
        (1...count).map { "http://\(host)/\($0).jpg" }
    }

    private func asks(_ seconds: Double?, _ host: String = "example.org:80") -> TransferReport {
        .ended(.hindered(busy, by: .hostAsksToWait(host: host, seconds: seconds)))
    }

    private func started(_ harness: EngineHarness) -> [Int64] {
        harness.outside.all.started.map(\.job.rawValue)
    }

    @Test("A turn at the pace of a host that a redirect leads to holds no host, and counts no try")
    func paced() throws {
        let harness = try EngineHarness(configuration())
        _ = try harness.submit(urls("example.org", 3) + urls("example.net", 3))
        #expect(started(harness) == [1, 2, 4, 5])
        let hindrance = Hindrance.paced(host: "example.net:80", seconds: 600)
        try harness.report(1, .ended(.hindered(busy, by: hindrance)))
        #expect(started(harness) == [1, 2, 4, 5, 3], "the others of its host go on")
        let job = try #require(try harness.stored(1))
        #expect(job.state == .waiting && job.fruitlessTries == 0 && job.toldOf.contains(.otherHost))
        #expect(job.waiting.map { $0.until.seconds(since: harness.now) } == 600)
        #expect(job.struggled == 0, "a turn that is a week away gives nothing up")
        #expect(harness.core.status.holds.isEmpty)
    }

    @Test("A host that answers 503 to one job after the other is left alone, and asked by each in turn")
    func fails() throws {
        let harness = try EngineHarness(configuration(tries: 5))
        _ = try harness.submit(urls("example.org", 60) + urls("example.net", 1))
        let failure = JobFailure(.http(503), "the server answered 503 Service Unavailable")
        let end = TransferReport.ended(.hindered(failure, by: .hostFails(host: "example.org:80")))
        for job in [1, 2, 3, 4] as [Int64] { try harness.report(job, end) }
        #expect(started(harness) == [1, 2, 61, 3, 4], "those that were under way, and no more")
        let hold = try #require(harness.core.status.holds.first)
        #expect(hold.reason == "example.org:80 fails: the server answered 503 Service Unavailable")
        #expect(hold.until.map { (9...10).contains($0.seconds(since: harness.now)) } == true)
        #expect(try harness.stored(1)?.fruitlessTries == 1 && harness.stored(5)?.fruitlessTries == 0)
        #expect(try harness.stored(1)?.waitsForOthers == false)
        // An hour of it.
        let begin = harness.now
        while harness.now.seconds(since: begin) < 3600, let wake = try harness.turn() {
            harness.now = max(wake, harness.now.adding(seconds: 0.1))
            let before = started(harness).count
            try harness.turn()
            guard started(harness).count > before, let job = started(harness).last else { continue }
            #expect(started(harness).count == before + 1, "one goes first")
            try harness.report(job, end)
        }
        #expect(started(harness).count < 25)
        #expect(Set(started(harness)).count > 7, "they take turns")
        for job in 1...60 as ClosedRange<Int64> { #expect(try harness.stored(job)?.state != .failed) }
    }

    /// Three files of a host that has answered 503 for half an hour, so that some wait for long.
    private func failing() throws -> EngineHarness {
        let harness = try EngineHarness(configuration(tries: 9))
        _ = try harness.submit(urls("example.org", 3))
        let failure = JobFailure(.http(503), "the server answered 503 Service Unavailable")
        let end = TransferReport.ended(.hindered(failure, by: .hostFails(host: "example.org:80")))
        for job in [1, 2, 3] as [Int64] { try harness.report(job, end) }
        let begin = harness.now
        while harness.now.seconds(since: begin) < 1800, let wake = try harness.turn() {
            let before = started(harness).count
            harness.now = max(wake, harness.now.adding(seconds: 0.1))
            try harness.turn()
            guard started(harness).count > before, let job = started(harness).last else { continue }
            try harness.report(job, end)
        }
        let waits = try (1...3).compactMap { try harness.stored($0)?.waiting?.until }
        #expect(waits.contains { $0.seconds(since: harness.now) > 300 }, "some let others go first")
        return harness
    }

    @Test("Files that let others go first at a host that failed go on once it answers")
    func recovers() throws {
        let harness = try failing()
        let before = started(harness).count
        while started(harness).count == before, let wake = try harness.turn() { harness.now = wake }
        let first = try #require(started(harness).last)
        try harness.report(
            first,
            .began(TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil))
        )
        for job in 1...3 as ClosedRange<Int64> { #expect(try harness.stored(job)?.state != .waiting) }
        #expect(try (1...3).allSatisfy { try harness.stored($0)?.state != .failed })
    }

    @Test("A person can have files go on that let others go first at a host that failed")
    func forgiven() throws {
        let harness = try failing()
        let answer = Answer<HostStatus?>()
        try harness.turn(.releaseHost("example.org:80", reply: answer.give))
        for job in 1...3 as ClosedRange<Int64> { #expect(try harness.stored(job)?.state != .waiting) }
    }

    @Test("A host that a redirect leads to, and that fails, holds nobody who leads there")
    func redirectFails() throws {
        let harness = try EngineHarness(configuration(tries: 3))
        _ = try harness.submit(urls("example.org", 20))
        let failure = JobFailure(.http(503), "the server answered 503 Service Unavailable")
        let end = TransferReport.ended(.hindered(failure, by: .hostFails(host: "node7.example.org:80")))
        for job in 1...8 as ClosedRange<Int64> { try harness.report(job, end) }
        #expect(started(harness).count == 10 && harness.core.status.holds.isEmpty)
        #expect(try harness.stored(1)?.fruitlessTries == 1)
    }

    @Test("A host that asks to wait is held, told once, asked by one first, and then by the others")
    func host() throws {
        let harness = try EngineHarness(configuration())
        _ = try harness.submit(urls("example.org", 5) + urls("example.net", 1))
        #expect(started(harness) == [1, 2, 6])
        try harness.report(1, asks(600))
        try harness.report(2, asks(600))
        #expect(started(harness) == [1, 2, 6], "nothing more is begun there")
        let hold = try #require(harness.core.status.holds.first)
        #expect(harness.core.status.holds.count == 1)
        #expect(hold.kind == .host && hold.host == "example.org:80" && hold.reason.contains("429"))
        let until = try #require(hold.until)
        #expect(try harness.stored(1)?.state == .waiting && harness.stored(1)?.fruitlessTries == 0)
        let answer = Answer<HostList>()
        try harness.turn(.hosts(reply: answer.give))
        let statuses = try #require(try answer.value?.get()).made()
        #expect(statuses.map(\.host) == ["example.net:80", "example.org:80"])
        #expect(statuses.map(\.active) == [1, 0] && statuses.map(\.queued) == [0, 3])
        #expect(statuses[1].waiting?.until == until)

        harness.now = until.adding(seconds: -1)
        let wake = try #require(try harness.turn())
        #expect(wake <= until.adding(seconds: 0.1) && started(harness).count == 3)
        harness.now = until
        try harness.turn()
        #expect(started(harness).count == 4, "one goes first")
        let first = try #require(started(harness).last)
        try harness.report(first, .began(TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)))
        #expect(harness.core.status.holds.isEmpty)
        try harness.report(
            first,
            .progressed(bytes: 100),
            .ended(.completed(length: 100, lengthProven: true))
        )
        #expect(started(harness).count == 5)
        #expect(harness.outside.lines.filter { $0.contains("waiting") }.count == 2)
    }

    @Test("A host that says no time is left alone for 30 s, twice as long each time, and no try counts")
    func guessed() throws {
        let harness = try EngineHarness(configuration())
        _ = try harness.submit(urls("example.org", 1))
        for wait in [30.0, 60, 120, 240] {
            try harness.report(1, asks(nil))
            let until = try #require(try harness.stored(1)?.waiting?.until)
            #expect(abs(until.seconds(since: harness.now) - wait) < 0.1)
            #expect(try harness.stored(1)?.fruitlessTries == 0)
            harness.now = until
            try harness.turn()
        }
        #expect(started(harness) == [1, 1, 1, 1, 1])
    }

    @Test("A host that has asked to wait is left alone also by the next run of the daemon")
    func restart() throws {
        let harness = try EngineHarness(configuration())
        _ = try harness.submit(urls("example.org", 4) + urls("example.net", 1))
        try harness.report(1, asks(86_400))
        try harness.report(2, asks(86_400))
        let until = try #require(try harness.stored(1)?.waiting?.until)
        harness.now = harness.now.adding(seconds: 60)
        try harness.restart()
        #expect(started(harness) == [5])
        #expect(harness.core.status.holds.map(\.host) == ["example.org:80"])
        harness.now = until
        try harness.turn()
        #expect(started(harness).count == 2, "one goes first")
    }

    @Test("No more is begun at a host than its pace allows, and what is fetched elsewhere isn't held up")
    func pace() throws {
        let pace = HostRules(named: ["example.org": HostLimits(pace: Pace(requests: 2, per: 1))])
        let harness = try EngineHarness(
            JobEngineConfiguration(transfers: TransferQueue.Limits(total: 50, perHost: 50), hosts: pace)
        )
        _ = try harness.submit(urls("example.org", 20) + urls("example.net", 5))
        #expect(started(harness).filter { $0 <= 20 }.count == 2 && started(harness).count == 7)
        func begun(after seconds: Double) throws -> Int {
            harness.now = harness.now.adding(seconds: seconds)
            try harness.turn()
            return started(harness).filter { $0 <= 20 }.count
        }
        for count in 3...10 { #expect(try begun(after: 0.5) == count) }
        // Redirects and segments count, too.
        try harness.report(1, .requested(host: "example.org:80"), .requested(host: "example.org:80"))
        for count in [10, 10, 11, 12] { #expect(try begun(after: 0.5) == count) }
        // Another pace holds from now on.
        try harness.turn(.reconfigure(JobEngineConfiguration(transfers: .init(total: 50, perHost: 50))))
        #expect(started(harness).count == 25)
    }

    @Test(
        "A host whose connections are shared is asked more at once with each small file, until it asks to wait"
    )
    func shared() throws {
        let limits = TransferQueue.Limits(total: 8, perHost: 2, streams: 5)
        let harness = try EngineHarness(JobEngineConfiguration(transfers: limits))
        _ = try harness.submit(urls("example.org", 20))
        #expect(started(harness).count == 2)
        try harness.report(1, .shared(.served(milliseconds: 60, whole: 60)))
        #expect(started(harness).count == 3)
        for _ in 0..<4 { try harness.report(1, .shared(.served(milliseconds: 60, whole: 60))) }
        #expect(started(harness).count == 5)
        #expect(harness.core.bench.queues.transfers.hostStatuses(now: harness.now).map(\.streams) == [5])
        try harness.report(1, .shared(.unwilling), asks(60))
        harness.now = harness.now.adding(seconds: 61)
        try harness.turn()
        #expect(started(harness).count == 5, "those under way go first")
    }

    @Test("A certificate that isn't trusted holds its host, tells each job once, and costs no try")
    func certificate() throws {
        let harness = try EngineHarness(configuration(tries: 1))
        _ = try harness.submit(urls("example.org", 20) + urls("example.net", 1))
        let words = "the certificate of example.org is not trusted: certificate has expired"
        let failure = JobFailure(.badCertificate, words)
        let end = TransferReport.ended(.hindered(failure, by: .certificate(host: "example.org:80")))
        #expect(started(harness) == [1, 2, 21])
        for job in [1, 2] as [Int64] { try harness.report(job, end) }
        #expect(started(harness) == [1, 2, 21], "nothing more is begun there")
        #expect(harness.core.status.holds.map(\.reason) == ["example.org:80 is left alone: \(words)"])
        #expect(
            harness.core.bench.queues.transfers.hostStatus("example.org:80")?.waiting?.kind == .certificate
        )
        // Six hours of it.
        let begin = harness.now
        while harness.now.seconds(since: begin) < 6 * 3600, let wake = try harness.turn() {
            harness.now = max(wake, harness.now.adding(seconds: 0.1))
            let before = started(harness).count
            try harness.turn()
            guard started(harness).count > before, let job = started(harness).last else { continue }
            #expect(started(harness).count == before + 1, "one goes first")
            try harness.report(job, end)
        }
        #expect((10...20).contains(started(harness).count), "\(started(harness).count)")
        let tries = try (1...20).compactMap { try harness.stored($0)?.fruitlessTries }
        #expect(tries == Array(repeating: 0, count: 20))
        let told = harness.outside.lines.filter { $0.contains("waiting") }
        #expect(told.count == Set(started(harness)).subtracting([21]).count, "\(told)")
        try harness.restart()
        #expect(
            harness.core.bench.queues.transfers.hostStatus("example.org:80")?.waiting?.kind == .certificate
        )
        // It is there.
        let before = started(harness).count
        while started(harness).count == before, let wake = try harness.turn() { harness.now = wake }
        let first = try #require(started(harness).last)
        try harness.report(first, .began(TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)))
        #expect(harness.core.status.holds.isEmpty)
        #expect(started(harness).count == before + 2, "the others follow, as many at once as ever")
    }

    private func miss(_ host: String) -> TransferReport {
        .ended(.hindered(unreached, by: .unreached(host: host + ":80")))
    }

    @Test("While no host can be reached nothing counts, it is held and told once, and the first word ends it")
    func network() throws {
        let harness = try EngineHarness(configuration(tries: 1))
        _ = try harness.submit(urls("a.example", 3) + urls("b.example", 3))
        #expect(started(harness) == [1, 2, 4, 5])
        for (job, host) in [(1, "a.example"), (2, "a.example"), (4, "b.example"), (5, "b.example")]
            as [(Int64, String)]
        {
            try harness.report(job, miss(host))
        }
        #expect(harness.core.status.holds.isEmpty && started(harness).count == 4, "nobody knows yet")
        let decides = try #require(try harness.turn())
        #expect(decides.seconds(since: harness.now) <= LinePatience.quiet)
        harness.now = harness.now.adding(seconds: LinePatience.quiet)
        try harness.turn()
        let hold = try #require(harness.core.status.holds.first)
        #expect(hold.kind == .network && hold.until != nil)
        for job in 1...6 as ClosedRange<Int64> { #expect(try harness.stored(job)?.state == .queued) }
        #expect(started(harness).count == 4, "all hosts have been tried")
        // A host that hasn't been tried yet is tried once.
        _ = try harness.submit(urls("house.example", 2))
        #expect(started(harness).count == 5)
        try harness.report(7, miss("house.example"))
        #expect(started(harness).count == 5)
        // One a host is a probe.
        harness.now = try #require(hold.until)
        try harness.turn()
        let probes = started(harness).dropFirst(5)
        #expect(probes.count == 3 && harness.core.status.holds.first?.until != hold.until)
        for job in probes {
            try harness.report(job, miss(job <= 3 ? "a.example" : job <= 6 ? "b.example" : "house.example"))
        }
        harness.now = try #require(harness.core.status.holds.first?.until)
        try harness.turn()
        let next = try #require(started(harness).last)
        try harness.report(next, .began(TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)))
        #expect(harness.core.status.holds.isEmpty)
        #expect(harness.core.bench.queues.transfers.activeCount == 6)
        #expect(!harness.outside.lines.contains { $0.contains("wait") || $0.contains("failed") })
        for job in 1...8 as ClosedRange<Int64> { #expect(try harness.stored(job)?.fruitlessTries == 0) }
    }

    @Test("Without a route that is known at once, and not even time counts")
    func route() throws {
        var configuration = configuration(tries: 1)
        configuration.hasDefaultRoute = { false }
        let harness = try EngineHarness(configuration)
        _ = try harness.submit(urls("a.example", 3))
        try harness.report(1, miss("a.example"))
        #expect(harness.core.status.holds.map(\.kind) == [.network])
        try harness.report(2, miss("a.example"))
        for job in 1...3 as ClosedRange<Int64> {
            #expect(try harness.stored(job)?.state == .queued && harness.stored(job)?.struggled ?? 1 < 1)
        }
        #expect(started(harness) == [1, 2])
    }

    @Test("A host that can't be reached while another one answers is to blame itself")
    func deadHost() throws {
        let harness = try EngineHarness(configuration(tries: 1))
        _ = try harness.submit(urls("dead.example", 1) + urls("alive.example", 1))
        try harness.report(1, miss("dead.example"))
        #expect(try harness.stored(1)?.state != .failed, "nobody knows yet")
        harness.now = harness.now.adding(seconds: 1)
        try harness.report(2, .began(TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)))
        #expect(try harness.stored(1)?.state == .failed)
        #expect(harness.core.status.holds.isEmpty)
    }

    @Test(
        "A job whose host can't be reached can be paused and cancelled while nobody knows whose fault that is"
    )
    func steered() throws {
        let harness = try EngineHarness(configuration(tries: 1))
        _ = try harness.submit(urls("a.example", 2))
        try harness.report(1, miss("a.example"))
        try harness.report(2, miss("a.example"))
        _ = try harness.steer(.pause, 1)
        _ = try harness.steer(.cancel, 2)
        harness.now = harness.now.adding(seconds: 10)
        try harness.turn()
        #expect(try harness.stored(1)?.state == .paused && harness.stored(2)?.state == .cancelled)
        #expect(harness.core.bench.queues.transfers.activeCount == 0)
    }

    @Test(
        "This machine itself is asked as always while no other host can be reached, and says nothing of the network"
    )
    func loopback() throws {
        let harness = try EngineHarness(configuration(tries: 1))
        _ = try harness.submit(urls("a.example", 1))
        // One alone would say nothing.
        harness.core.bench.queues.transfers.missed("b.example:80", now: harness.now)
        try harness.report(1, miss("a.example"))
        harness.now = harness.now.adding(seconds: LinePatience.quiet)
        try harness.turn()
        _ = try harness.submit(urls("127.0.0.1", 4))
        #expect(started(harness) == [1, 2, 3])
        for job in 2...5 as ClosedRange<Int64> { try harness.download(job) }
        #expect(started(harness) == [1, 2, 3, 4, 5])
        #expect(harness.core.status.holds.map(\.kind) == [.network])
        // One that isn't there is to blame itself.
        _ = try harness.submit(urls("localhost", 1))
        try harness.report(6, miss("localhost"))
        #expect(try harness.stored(6)?.state == .failed)
    }

    @Test("A week without a line ends a job that has tried for all of it")
    func week() throws {
        let harness = try EngineHarness(configuration(tries: 1))
        _ = try harness.submit(urls("a.example", 1))
        // One alone would say nothing.
        harness.core.bench.queues.transfers.missed("b.example:80", now: harness.now)
        try harness.report(1, miss("a.example"))
        harness.now = harness.now.adding(seconds: 3)
        try harness.turn()
        for _ in 1...3000 {
            guard try harness.stored(1)?.state == .queued else { break }
            harness.now = try #require(harness.core.status.holds.first?.until)
            try harness.turn()
            try harness.report(1, miss("a.example"))
        }
        let job = try #require(try harness.stored(1))
        #expect(job.state == .failed && job.failure?.message.contains("(for 7 days)") == true)
    }

    @Test("A proxy that refuses holds everything that is tried through it, and nothing counts")
    func proxy() throws {
        let harness = try EngineHarness(configuration(tries: 1))
        _ = try harness.submit(urls("a.example", 3))
        let failure = JobFailure(.http(407), "the proxy answered 407 Proxy Authentication Required")
        try harness.report(1, .ended(.hindered(failure, by: .proxy)))
        try harness.report(2, .ended(.hindered(failure, by: .proxy)))
        let hold = try #require(harness.core.status.holds.first)
        #expect(hold.kind == .proxy && hold.reason.contains("407"))
        #expect(started(harness) == [1, 2])
        harness.now = try #require(hold.until)
        try harness.turn()
        #expect(started(harness).count == 3)
        let probe = try #require(started(harness).last)
        try harness.report(probe, .began(TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)))
        #expect(harness.core.status.holds.isEmpty && started(harness).count == 4)
    }

    @Test(
        "While nothing can be written nothing is begun, nothing counts, it is told once, and goes on by itself"
    )
    func storage() throws {
        let harness = try EngineHarness(configuration(tries: 1))
        _ = try harness.submit(urls("example.org", 4))
        harness.outside.change { $0.refusal = "nothing can be written to /d: Read-only file system" }
        let failure = JobFailure(.storageError, "the document can't be stored: Read-only file system")
        try harness.report(1, .ended(.interrupted(failure, retryAfter: nil)))
        #expect(harness.core.status.holds.map(\.kind) == [.storage])
        #expect(harness.outside.all.stopped.map(\.rawValue) == [2])
        try harness.report(2, .ended(.stopped))
        for _ in 1...5 {
            harness.now = harness.now.adding(seconds: 1)
            try harness.turn()
        }
        #expect(started(harness) == [1, 2])
        for job in 1...4 as ClosedRange<Int64> {
            #expect(try harness.stored(job)?.state == .queued && harness.stored(job)?.fruitlessTries == 0)
        }
        harness.outside.change { $0.refusal = nil }
        harness.now = harness.now.adding(seconds: StorageTrial.intervals.upperBound)
        try harness.turn()
        #expect(harness.core.status.holds.isEmpty && started(harness).count == 4)
        #expect(!harness.outside.lines.contains { $0.contains("wait") || $0.contains("failed") })
    }

    @Test("A disk that takes other files has failed this one alone, which counts")
    func oneFile() throws {
        let harness = try EngineHarness(configuration(tries: 1))
        _ = try harness.submit(urls("example.org", 1))
        let failure = JobFailure(.storageError, "Input/output error")
        try harness.report(1, .ended(.damaged(failure)))
        #expect(try harness.stored(1)?.state == .failed && harness.core.status.holds.isEmpty)
    }

    @Test(
        "A disk that never answers keeps nobody waiting: turns go on, it is told, and all goes on once it answers"
    )
    func silence() throws {
        let harness = try EngineHarness(configuration(tries: 1))
        _ = try harness.submit(urls("example.org", 4))
        harness.outside.change { $0.isSilent = true }
        let failure = JobFailure(.storageError, "the document can't be stored: Input/output error")
        try harness.report(1, .ended(.interrupted(failure, retryAfter: nil)))
        // Nobody knows yet whose fault it is, and nothing is begun meanwhile.
        #expect(harness.core.status.holds.isEmpty && harness.outside.all.tries == 1)
        #expect(try harness.steer(.pause, 4).get().state == .paused)
        #expect(started(harness) == [1, 2] && harness.outside.all.stopped.isEmpty)
        harness.now = harness.now.adding(seconds: StorageTrial.slowness)
        try harness.turn()
        #expect(harness.core.status.holds.map(\.reason) == ["/d does not answer, or is only slow"])
        #expect(harness.outside.all.stopped.isEmpty)
        harness.now = harness.now.adding(seconds: StorageTrial.patience - StorageTrial.slowness - 1)
        let wake = try #require(try harness.turn())
        #expect(wake.seconds(since: harness.now) <= 1, "it is looked at when the patience ends")
        #expect(harness.outside.all.stopped.isEmpty)
        harness.now = harness.now.adding(seconds: 1)
        try harness.turn()
        let hold = try #require(harness.core.status.holds.first)
        #expect(hold.kind == .storage && hold.reason.hasPrefix("/d does not answer"))
        #expect(try harness.stored(1)?.state == .queued && harness.stored(1)?.fruitlessTries == 0)
        #expect(harness.outside.all.stopped.map(\.rawValue) == [2])
        try harness.report(2, .ended(.stopped))
        // However long that lasts, there are few tries, and people are answered.
        for _ in 1...100 {
            harness.now = harness.now.adding(seconds: 70)
            try harness.turn()
        }
        #expect(harness.outside.all.tries == StorageTrial.mostTries && started(harness) == [1, 2])
        #expect(try harness.steer(.cancel, 3).get().state == .cancelled)
        #expect(try harness.steer(.resume, 4).get().state == .queued)
        harness.outside.change { $0.isSilent = false }
        try harness.turn()
        #expect(harness.core.status.holds.isEmpty && started(harness) == [1, 2, 1, 2])
        #expect(!harness.outside.lines.contains { $0.contains("wait") || $0.contains("failed") })
    }

    @Test("A disk that takes work and says nothing of it is tried, and told if that doesn't come back either")
    func silentWork() throws {
        let harness = try EngineHarness(configuration())
        _ = try harness.submit(urls("example.org", 3))
        harness.outside.change { $0.isSilent = true }
        try harness.report(
            1,
            .began(TransferStart(mode: .fresh, offset: 0, total: 100, validator: nil)),
            .progressed(bytes: 100),
            .ended(.completed(length: 100, lengthProven: true))
        )
        #expect(harness.outside.all.sealed.count == 1 && harness.outside.all.tries == 0)
        harness.now = harness.now.adding(seconds: StorageTrial.quiet)
        try harness.turn()
        #expect(harness.outside.all.tries == 1)
        harness.now = harness.now.adding(seconds: StorageTrial.patience)
        try harness.turn()
        #expect(harness.core.status.holds.map(\.kind) == [.storage])
        harness.outside.change { $0.isSilent = false }
        try harness.turn()
        #expect(harness.core.status.holds.isEmpty)
        // Nothing is tried again.
        harness.outside.change { $0.isSilent = true }
        harness.now = harness.now.adding(seconds: 3600)
        try harness.turn()
        #expect(harness.outside.all.tries == 0)
    }

    @Test(
        "A person ends the wait of all who wait for a host, whichever moment each was told",
        arguments: [false, true]
    )
    func releaseOfMany(restarts: Bool) throws {
        let harness = try EngineHarness(configuration())
        _ = try harness.submit(urls("example.org", 4) + urls("example.net", 1))
        for (job, seconds) in [(1, 86_400), (2, 90_000)] as [(Int64, Double)] {
            try harness.report(job, asks(seconds))
            // They are no longer in memory.
            try harness.untilWritten()
        }
        if restarts { try harness.restart() }
        let answer = Answer<HostStatus?>()
        try harness.turn(.releaseHost("example.org:80", reply: answer.give))
        #expect(try (1...2).allSatisfy { try harness.stored($0)?.state != .waiting })
    }

    @Test(
        "A person can end the wait of a host: one request goes first, and then those that were told to wait follow"
    )
    func release() throws {
        let harness = try EngineHarness(configuration())
        _ = try harness.submit(urls("example.org", 4) + urls("example.net", 1))
        try harness.report(5, asks(86_400, "example.net:80"))
        try harness.report(1, asks(7 * 86_400))
        try harness.report(2, asks(nil))
        #expect(try (1...2).allSatisfy { try harness.stored($0)?.state == .waiting })
        func release(_ host: String) throws -> HostStatus? {
            let answer = Answer<HostStatus?>()
            try harness.turn(.releaseHost(host, reply: answer.give))
            return try #require(answer.value).get()
        }
        #expect(try release("nobody.example:80") == nil)
        #expect(started(harness) == [1, 2, 5])
        let status = try #require(try release("example.org:80"))
        #expect(status.host == "example.org:80")
        #expect(try (1...2).allSatisfy { try harness.stored($0)?.state != .waiting })
        #expect(try harness.stored(5)?.state == .waiting, "the other one still waits")
        #expect(harness.outside.all.released == ["example.org:80"])
        #expect(started(harness).count == 4, "one goes first")
        let first = try #require(started(harness).last)
        try harness.download(first)
        #expect(started(harness).count == 5)
        #expect(harness.core.status.holds.map(\.host) == ["example.net:80"])
        // What isn't held stays as it is.
        _ = try release("example.org:80")
        #expect(started(harness).count == 5)
        try harness.restart()
        #expect(harness.core.status.holds.map(\.host) == ["example.net:80"])
    }
}
