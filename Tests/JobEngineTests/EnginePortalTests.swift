import EngineSupport
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import JobEngine

/// Answers that aren't those of a file, through the whole engine.
@Suite("The engine, and what answers instead of a file")
struct EnginePortalTests {
    private let page = JobFailure(.unexpectedContentType, "the server sent text/html")
    private let began = TransferReport.began(
        TransferStart(mode: .fresh, offset: 0, total: 1_000_000, validator: nil)
    )

    private func harness(_ change: (inout JobEngineConfiguration) -> Void = { _ in }) throws -> EngineHarness
    {
        var configuration = JobEngineConfiguration(
            transfers: TransferQueue.Limits(total: 8, perHost: 2),
            retry: RetryPolicy(maximumTries: 1),
            boot: "boot-1"
        )
        change(&configuration)
        return try EngineHarness(configuration)
    }

    private func urls(_ host: String, _ count: Int) -> [String] {
        (1...count).map { "http://\(host)/\($0).jpg" }
    }

    private func started(_ harness: EngineHarness) -> [Int64] {
        harness.outside.all.started.map(\.job.rawValue)
    }

    private func pass(_ seconds: Double, _ harness: EngineHarness) throws {
        harness.now = harness.now.adding(seconds: seconds)
        try harness.turn()
    }

    private func sent(_ address: String?) -> TransferReport {
        .ended(.hindered(address == nil ? JobFailure(.http(511), "511") : page, by: .page(from: address)))
    }

    @Test(
        "Pages of all hosts, one page for two, and 511 hold the line as a portal's, until a file comes",
        arguments: [
            ["http://a.example/1", "http://b.example.org/1", "http://c.test/1"],
            ["http://login.test/", "http://login.test/"], [nil],
        ] as [[String?]]
    )
    func portal(pages: [String?]) throws {
        let harness = try harness()
        let hosts = ["a.example", "b.example.org", "c.test"]
        _ = try harness.submit(hosts.flatMap { urls($0, 3) })
        #expect(started(harness) == [1, 2, 4, 5, 7, 8])
        for (number, address) in pages.enumerated() {
            try harness.report(Int64(number) * 3 + 1, sent(address))
        }
        // A portal has no certificate of theirs either, and speaks no TLS.
        let failure = JobFailure(.badCertificate, "it is not trusted")
        try harness.report(8, .ended(.hindered(failure, by: .certificate(host: "c.test:80"))))
        #expect(harness.core.status.holds.filter { $0.kind != .host }.isEmpty, "nobody knows yet")
        try pass(LinePatience.quiet, harness)
        let hold = try #require(harness.core.status.holds.first { $0.kind == .portal })
        #expect(hold.reason.hasPrefix("a portal answers instead of the hosts: ") && hold.until != nil)
        // What was under way gets its pages as well.
        for job in [2, 5] as [Int64] { try harness.report(job, sent("http://login.test/")) }
        for job in [1, 2, 3, 4, 5, 6] as [Int64] where job != 4 || pages.count > 1 {
            #expect(try harness.stored(job)?.state == .queued, "\(job)")
            #expect(try harness.stored(job)?.fruitlessTries == 0)
        }
        let before = started(harness).count
        try pass(29, harness)
        #expect(started(harness).count == before)
        try pass(31, harness)
        let probes = started(harness).dropFirst(before)
        #expect((1...3).contains(probes.count), "\(probes)")
        let probe = try #require(probes.first)
        try harness.report(probe, began)
        #expect(!harness.core.status.holds.contains { $0.kind == .portal })
        #expect(started(harness).count > before + probes.count, "all go on")
        #expect(!harness.outside.lines.contains { $0.contains("failed") })
    }

    @Test("A page is its host's own answer where something else comes from another, or nothing else is asked")
    func own() throws {
        let harness = try harness()
        _ = try harness.submit(urls("a.example", 1) + urls("b.example.org", 1) + urls("c.test", 2))
        for job in [1, 2, 3] as [Int64] { try harness.report(job, sent("http://site\(job).test/")) }
        #expect(try harness.stored(1)?.state != .failed)
        try harness.report(4, began)
        try harness.turn()
        for job in [1, 2, 3] as [Int64] { #expect(try harness.stored(job)?.state == .failed) }
        #expect(harness.core.status.holds.isEmpty)
        // Two sites show no portal.
        let two = try self.harness()
        _ = try two.submit(urls("a.example", 1) + urls("b.example.org", 1))
        for job in [1, 2] as [Int64] { try two.report(job, sent("http://site\(job).test/")) }
        try pass(LinePatience.quiet, two)
        #expect(try two.stored(1)?.state == .failed && two.core.status.holds.isEmpty)
        let one = try self.harness()
        _ = try one.submit(urls("a.example", 20))
        try one.report(1, sent("http://a.example/1.jpg"))
        #expect(try one.stored(1)?.state == .failed, "at once")
    }

    @Test("A page ends a hold of the line: somebody answers")
    func afterOutage() throws {
        let harness = try harness()
        _ = try harness.submit(urls("a.example", 2) + urls("b.example.org", 2))
        let unreached = JobFailure(.connectFailed, "nobody answers")
        for (job, host) in [(1, "a.example:80"), (2, "a.example:80"), (3, "b.example.org:80")]
            as [(Int64, String)]
        {
            try harness.report(job, .ended(.hindered(unreached, by: .unreached(host: host))))
        }
        try pass(LinePatience.quiet, harness)
        #expect(harness.core.status.holds.map(\.kind) == [.network])
        try harness.report(4, sent("http://b.example.org/2.jpg"))
        try pass(LinePatience.quiet, harness)
        #expect(harness.core.status.holds.isEmpty && started(harness).count > 4)
        #expect(try harness.stored(4)?.state == .failed)
    }

    @Test(
        "Refused connections, broken TLS and pages for rests are a portal's, too, but not those of this machine"
    )
    func others() throws {
        let harness = try harness()
        let hosts = ["a.example", "b.example.org", "c.test"]
        _ = try harness.submit(hosts.flatMap { urls($0, 2) } + ["https://localhost/1.jpg"])
        try harness.report(1, sent("http://login.test/"))
        let codes: [FailureCode] = [.connectFailed, .tlsFailed, .unexpectedContentType]
        // Before it is known: not a word of theirs, so the pages aren't their hosts' own.
        try harness.report(5, .ended(.interrupted(JobFailure(codes[0], "refused"), retryAfter: nil)))
        try harness.report(3, sent("http://login.test/"))
        try pass(LinePatience.quiet, harness)
        #expect(harness.core.status.holds.map(\.kind) == [.portal])
        for (job, code) in [(2, codes[1]), (4, codes[2]), (6, codes[0])] as [(Int64, FailureCode)] {
            try harness.report(job, .ended(.interrupted(JobFailure(code, "no"), retryAfter: nil)))
            #expect(try harness.stored(job)?.state == .queued && harness.stored(job)?.fruitlessTries == 0)
        }
        #expect(harness.core.status.holds.map(\.kind) == [.portal])
        let before = started(harness).count
        let failure = JobFailure(.badCertificate, "it is not trusted")
        try harness.report(7, .ended(.hindered(failure, by: .certificate(host: "localhost:443"))))
        #expect(
            try harness.stored(7)?.state == .waiting && started(harness).count == before,
            "not at once again"
        )
    }

    @Test(
        "Links of a host that asks for a browser for them alone don't keep its other files, however late it answers",
        arguments: [[1, 2, 3], [1, 2, 3, 4, 5, 6, 7], [2, 4, 6, 8, 10, 12]] as [Set<Int64>],
        [0, 0.3]
    )
    func challengeOfSome(bad: Set<Int64>, delay: Double) throws {
        let harness = try harness()
        _ = try harness.submit(urls("a.example", 12))
        let failure = JobFailure(.challenge, "the server answered 403 Forbidden, and asks for a browser")
        let end = TransferReport.ended(.hindered(failure, by: .challenge(host: "a.example:80")))
        var reported = 0
        while reported < 40 {
            let wake = try harness.turn()
            let now = started(harness)
            harness.now = harness.now.adding(seconds: delay)
            for job in now.dropFirst(reported) {
                if bad.contains(job) { try harness.report(job, end) } else { try harness.download(job) }
            }
            reported = now.count
            if try bad.allSatisfy({ try harness.stored($0)?.state == .failed }),
                try (1...12).allSatisfy({ try bad.contains($0) || harness.stored($0)?.path != nil })
            {
                break
            }
            if started(harness).count == reported {
                harness.now = max(try #require(wake), harness.now)
            }
        }
        let all = started(harness)
        for job in 1...12 as ClosedRange<Int64> {
            let stored = try #require(try harness.stored(job))
            #expect(bad.contains(job) ? stored.state == .failed : stored.path != nil, "\(job) of \(all)")
        }
        // One for each hold, at most.
        #expect(all.count <= 12 + bad.count, "\(all)")
    }

    @Test(
        "Behind the login, a host that refuses connections is no portal for longer than two rounds of probes"
    )
    func afterLogin() throws {
        let harness = try harness()
        _ = try harness.submit(urls("a.example", 1) + urls("b.example.org", 1) + urls("c.test", 2))
        for job in [1, 2, 3, 4] as [Int64] { try harness.report(job, sent("http://login.test/")) }
        try pass(LinePatience.quiet, harness)
        #expect(harness.core.status.holds.map(\.kind) == [.portal])
        for job in [1, 2] as [Int64] { _ = try harness.steer(.cancel, job).get() }
        let refused = TransferReport.ended(
            .interrupted(JobFailure(.connectFailed, "refused"), retryAfter: nil)
        )
        var reported = 4
        let begin = harness.now
        while let wake = try harness.turn(), harness.now.seconds(since: begin) < 3600 {
            let now = started(harness)
            for job in now.dropFirst(reported) { try harness.report(job, refused) }
            reported = now.count
            if harness.core.status.holds.isEmpty { break }
            if started(harness).count == reported { harness.now = max(wake, harness.now) }
        }
        #expect(harness.core.status.holds.isEmpty && harness.now.seconds(since: begin) < 1200)
    }

    @Test("A host that asks for a browser is asked by three, held, and asked again when a person says so")
    func challenge() throws {
        let harness = try harness()
        _ = try harness.submit(urls("a.example", 30))
        let failure = JobFailure(.challenge, "the server answered 403 Forbidden, and asks for a browser")
        let end = TransferReport.ended(.hindered(failure, by: .challenge(host: "a.example:80")))
        for job in [1, 2, 3, 4] as [Int64] { try harness.report(job, end) }
        #expect(started(harness) == [1, 2, 3, 4])
        #expect(try [1, 2].allSatisfy { try harness.stored($0)?.state == .failed })
        #expect(try [3, 4].allSatisfy { try harness.stored($0)?.state == .waiting })
        let words = "a.example:80 asks for a browser: \(failure.message)"
        #expect(harness.core.status.holds.map(\.reason) == [words])
        try harness.restart()
        #expect(harness.core.status.holds.map(\.reason) == [words], "the next run knows it")
        #expect(harness.core.bench.queues.transfers.hostStatus("a.example:80")?.waiting?.kind == .challenge)
        let before = started(harness).count
        let answer = Answer<HostStatus?>()
        try harness.turn(.releaseHost("a.example:80", reply: answer.give))
        #expect(started(harness).count == before + 1, "one goes first")
        let first = try #require(started(harness).last)
        try harness.report(first, began)
        #expect(started(harness).count > before + 1 && harness.core.status.holds.isEmpty)
    }

    @Test(
        "Files to which a host says 429 each time wait by themselves once the host has answered others",
        arguments: [[1], [1, 2, 3], [1, 20, 40]] as [Set<Int64>]
    )
    func alone(bad: Set<Int64>) throws {
        let harness = try harness()
        _ = try harness.submit(urls("a.example", 40))
        let busy = JobFailure(.http(429), "the server answered 429 Too Many Requests")
        let end = TransferReport.ended(
            .hindered(busy, by: .hostAsksToWait(host: "a.example:80", seconds: 600))
        )
        let begin = harness.now
        var reported = 0
        while let wake = try harness.turn(), harness.now.seconds(since: begin) < 86_400 {
            let now = started(harness)
            for job in now.dropFirst(reported) {
                if bad.contains(job) { try harness.report(job, end) } else { try harness.download(job) }
            }
            reported = now.count
            if started(harness).count == reported { harness.now = max(wake, harness.now) }
            let rest = try (1...40).filter { try harness.stored($0)?.path == nil }
            guard Set(rest) != bad || !harness.core.status.holds.isEmpty else { break }
        }
        // Each holds the host once, for nobody knows better then.
        let seconds = harness.now.seconds(since: begin)
        #expect(seconds < 600 * Double(bad.count) + 100, "\(seconds)")
        #expect(harness.core.status.holds.isEmpty)
        let job = try #require(try harness.stored(1))
        #expect(job.state == .waiting && job.fruitlessTries == 0 && !job.toldOf.contains(.host))
        try harness.restart()
        #expect(harness.core.status.holds.isEmpty, "nor does the next run hold its host")
    }

    @Test("Nothing is fetched while the clock shows a time of before the program, until it is set")
    func clock() throws {
        let harness = try harness { $0.earliestTime = Timestamp(microseconds: 1_767_225_600_000_000) }
        let right = harness.now.wall
        harness.now.wall = Timestamp(microseconds: 86_400_000_000)
        _ = try harness.submit(urls("a.example", 2))
        #expect(started(harness).isEmpty)
        let hold = try #require(harness.core.status.holds.first)
        #expect(hold.kind == .clock && hold.reason.contains("1970-01-02"), "\(hold.reason)")
        let wake = try #require(try harness.turn())
        #expect((1...30).contains(wake.seconds(since: harness.now)))
        harness.now.wall = right
        try harness.turn()
        #expect(harness.core.status.holds.isEmpty && started(harness) == [1, 2])
    }
}
