import EngineSupport
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Outages of the line that don't concern every host, or nobody.
@Suite("The engine, and outages of the line that don't concern all")
struct EngineOutageTests {
    private func configuration(hasRoute: Bool) -> JobEngineConfiguration {
        JobEngineConfiguration(
            transfers: TransferQueue.Limits(total: 8, perHost: 2),
            retry: RetryPolicy(maximumTries: 1),
            boot: "boot-1",
            hasDefaultRoute: { hasRoute }
        )
    }

    private func urls(_ host: String, _ count: Int) -> [String] {
        (1...count).map { "http://\(host)/\($0).jpg" }
    }

    private func miss(_ host: String) -> TransferReport {
        let unreached = JobFailure(.connectFailed, "nobody answers")
        return .ended(.hindered(unreached, by: .unreached(host: host + ":80")))
    }

    private func started(_ harness: EngineHarness) -> [Int64] {
        harness.outside.all.started.map(\.job.rawValue)
    }

    private let refusal = JobFailure(.http(407), "the proxy answered 407 Proxy Authentication Required")
    private let began = TransferReport.began(
        TransferStart(mode: .fresh, offset: 0, total: 1_000_000, validator: nil)
    )

    @Test("What comes past a proxy that refuses, or from nearby without a route, goes on and ends no hold")
    func otherWays() throws {
        for hasProxy in [true, false] {
            let harness = try EngineHarness(configuration(hasRoute: hasProxy))
            _ = try harness.submit(urls("near.example", 3) + urls("a.example", 2))
            #expect(started(harness) == [1, 2, 4, 5])
            try harness.report(1, began)
            harness.now = harness.now.adding(seconds: 1)
            for job in [4, 5] as [Int64] {
                try harness.report(
                    job,
                    hasProxy ? .ended(.hindered(refusal, by: .proxy)) : miss("a.example")
                )
            }
            let kind: HoldKind = hasProxy ? .proxy : .network
            for bytes in 1...20 as ClosedRange<Int64> {
                harness.now = harness.now.adding(seconds: 0.1)
                try harness.report(1, .progressed(bytes: bytes * 1000))
                #expect(harness.core.status.holds.map(\.kind) == [kind])
            }
            // That it goes on may mean that all does, so there is a probe; no more than that.
            #expect(started(harness).filter { $0 > 3 }.count <= 3, "\(started(harness))")
            try harness.report(2, .ended(.stopped))
            #expect(started(harness).filter { $0 <= 3 }.count == 3, "nothing holds what is near")
            harness.now = harness.now.adding(seconds: 300)
            try harness.turn()
            let probe = try #require(started(harness).last { $0 > 3 })
            try harness.report(probe, began)
            #expect(harness.core.status.holds.isEmpty)
        }
    }

    @Test("What stood when the line went, and breaks off later, costs no try either")
    func stood() throws {
        let silence = JobFailure(.stalled, "it sent almost nothing for too long")
        for isDown in [true, false] {
            let harness = try EngineHarness(configuration(hasRoute: true))
            _ = try harness.submit(urls("a.example", 2) + urls("b.example", 1))
            try harness.report(1, began)
            harness.now = harness.now.adding(seconds: 5)
            if isDown {
                try harness.report(2, miss("a.example"))
                try harness.report(3, miss("b.example"))
                harness.now = harness.now.adding(seconds: LinePatience.quiet)
                try harness.turn()
                #expect(harness.core.status.holds.map(\.kind) == [.network])
            }
            // Sources ask by this before they give up a part.
            let snapshot = EngineSnapshot(startedAt: harness.now)
            snapshot.publish(harness.core)
            #expect(snapshot.isOffline == isDown)
            harness.now = harness.now.adding(seconds: 60)
            try harness.report(1, .ended(.interrupted(silence, retryAfter: nil)))
            let job = try #require(try harness.stored(1))
            #expect((job.state == .failed) == !isDown, "\(job.state)")
            #expect(job.fruitlessTries == (isDown ? 0 : 1))
        }
    }

    @Test("One host that can't be reached says nothing about the line: it is to blame, by its name")
    func alone() throws {
        var settings = configuration(hasRoute: true)
        settings.retry = RetryPolicy(maximumTries: 2)
        let harness = try EngineHarness(settings)
        _ = try harness.submit(urls("dead.example", 1))
        for tries in 1...2 {
            try harness.report(1, miss("dead.example"))
            harness.now = harness.now.adding(seconds: LinePatience.quiet)
            try harness.turn()
            #expect(harness.core.status.holds.isEmpty)
            let job = try #require(try harness.stored(1))
            #expect(job.fruitlessTries == tries)
            #expect(job.state == (tries == 2 ? .failed : .waiting), "\(job.state)")
            guard let until = job.waiting?.until else { continue }
            harness.now = until
            try harness.turn()
        }
        // Of many files, one asks at a time, and none is given up at once.
        settings.retry = RetryPolicy(maximumTries: 20)
        let many = try EngineHarness(settings)
        _ = try many.submit(urls("dead.example", 50))
        for _ in 1...16 where many.core.status.holds.isEmpty {
            let job = try #require(many.core.bench.queues.transfers.activeJobs.min())
            try many.report(job.rawValue, miss("dead.example"))
            many.now = many.now.adding(seconds: LinePatience.quiet)
            try many.turn()
        }
        let holds = many.core.status.holds
        #expect(
            holds.map(\.host) == ["dead.example:80"] && holds.first?.reason.contains("nobody answers") == true
        )
    }

    @Test("A proxy that gets through to no host is to blame, and one that gets through to others isn't")
    func beyondProxy() throws {
        let failure = JobFailure(.connectFailed, "the proxy answered 503 when asked to connect")
        for isOpen in [false, true] {
            let harness = try EngineHarness(configuration(hasRoute: true))
            _ = try harness.submit(urls("a.example", 2) + urls("b.example", 2) + urls("c.example", 1))
            for (job, host) in [(1, "a"), (2, "a"), (3, "b"), (4, "b")] as [(Int64, String)] {
                let hindrance = Hindrance.unreachedByProxy(host: host + ".example:80")
                try harness.report(job, .ended(.hindered(failure, by: hindrance)))
            }
            if isOpen { try harness.report(5, began) }
            harness.now = harness.now.adding(seconds: LinePatience.quiet)
            try harness.turn()
            #expect(harness.core.status.holds.map(\.kind) == (isOpen ? [] : [.proxy]))
            let job = try #require(try harness.stored(1))
            #expect(job.state == (isOpen ? .failed : .queued) && job.fruitlessTries == (isOpen ? 1 : 0))
        }
    }

    @Test("A hold of the line ends where nothing is left to fetch")
    func nothingLeft() throws {
        let harness = try EngineHarness(configuration(hasRoute: true))
        _ = try harness.submit(urls("a.example", 1))
        try harness.report(1, .ended(.hindered(refusal, by: .proxy)))
        #expect(harness.core.status.holds.map(\.kind) == [.proxy])
        _ = try harness.steer(.cancel, 1)
        try harness.turn()
        #expect(harness.core.status.holds.isEmpty)
    }

    @Test("A host that a redirect led to holds nobody else after a restart either")
    func redirected() throws {
        let harness = try EngineHarness(configuration(hasRoute: true))
        _ = try harness.submit(urls("a.example", 3))
        let busy = JobFailure(.http(429), "the server answered 429 Too Many Requests")
        let hindrance = Hindrance.hostAsksToWait(host: "b.example:80", seconds: 600)
        try harness.report(1, .ended(.hindered(busy, by: hindrance)))
        #expect(try harness.stored(1)?.state == .waiting && harness.stored(1)?.waitsForOthers == true)
        #expect(started(harness) == [1, 2, 3])
        try harness.restart()
        #expect(harness.core.status.holds.isEmpty)
        #expect(harness.core.bench.queues.transfers.activeCount == 2)
        #expect(try harness.stored(1)?.state == .waiting)
    }

    @Test("A connection that was left unread costs no try, holds nobody, and its jobs go on at once")
    func leftUnread() throws {
        let harness = try EngineHarness(configuration(hasRoute: true))
        _ = try harness.submit(urls("a.example", 1))
        let failure = JobFailure(.connectionLost, "the connection was given up")
        for _ in 0..<20 { try harness.report(1, .ended(.hindered(failure, by: .leftUnread))) }
        let job = try #require(harness.core.bench.jobs[JobID(rawValue: 1)]?.machine.job)
        #expect(job.state == .downloading && job.fruitlessTries == 0)
        #expect(harness.core.status.holds.isEmpty)
    }

    @Test("Without a route a host that answers is to blame, and one that breaks off isn't asked each second")
    func nearby() throws {
        let expected: [(code: FailureCode, state: JobState)] = [
            (.connectFailed, .failed), (.connectionLost, .waiting),
        ]
        for (code, state) in expected {
            let harness = try EngineHarness(configuration(hasRoute: false))
            _ = try harness.submit(urls("near.example", 1))
            try harness.report(1, .ended(.interrupted(JobFailure(code, "refused"), retryAfter: nil)))
            let job = try #require(try harness.stored(1))
            #expect(job.state == state)
            guard let until = job.waiting?.until else { continue }
            #expect(until.seconds(since: harness.now) > LinePatience.intervals.lowerBound - 1)
        }
    }
}
