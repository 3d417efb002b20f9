import CurlTransfer
import JobModel
import TestSupport
import Testing
import Vocabulary

@Suite("A transfer that is hindered", .timeLimit(.minutes(1)))
struct HinderedTransferTests {
    private let file = OriginFile(seed: 41, count: 100_000)

    @Test("by a host that asks everybody to wait says for how long, if the host does")
    func busy() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/told") { _ in OriginAnswer(429, [("Retry-After", "86400")]) }
            bench.origin.serve("/untold") { _ in OriginAnswer(429) }
            bench.origin.serve("/quota") { _ in
                OriginAnswer(403, [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "90")])
            }
            bench.origin.serve("/busy") { _ in OriginAnswer(503) }
            let host = try bench.origin.jobURL("/told").hostKey
            for (path, seconds, status) in [
                ("/told", 86_400, 429), ("/untold", nil, 429), ("/quota", 90, 403),
            ]
                as [(String, Double?, Int)]
            {
                guard case .hindered(let failure, let hindrance) = try await bench.fetch(path).end else {
                    Issue.record("\(path) ended otherwise")
                    continue
                }
                #expect(failure.code == .http(status))
                #expect(hindrance == .hostAsksToWait(host: host, seconds: seconds))
            }
            guard case .hindered(let failure, .hostFails(host)) = try await bench.fetch("/busy").end else {
                Issue.record("/busy ended otherwise")
                return
            }
            #expect(failure.code == .http(503))
        }
    }

    @Test("by a host that asks for a browser is told from one that refuses this file")
    func challenged() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/task") { _ in OriginAnswer(403, [("cf-mitigated", "challenge")]) }
            bench.origin.serve("/sucuri") { _ in OriginAnswer(403, [("X-Sucuri-Block", "FBP007")]) }
            bench.origin.serve("/akamai") { _ in
                OriginAnswer(403, [("Set-Cookie", "own=1"), ("Set-Cookie", "_abck=0~-1; path=/")])
            }
            bench.origin.serve("/refused") { _ in
                OriginAnswer(403, [("Server", "AkamaiGHost"), ("Set-Cookie", "own=_abck=")])
            }
            let host = try bench.origin.jobURL("/task").hostKey
            for path in ["/task", "/sucuri", "/akamai"] {
                guard case .hindered(let failure, .challenge(host)) = try await bench.fetch(path).end else {
                    Issue.record("\(path) ended otherwise")
                    continue
                }
                #expect(failure.code == .challenge && failure.message.contains("asks for a browser"))
            }
            guard case .refused(let failure) = try await bench.fetch("/refused").end else {
                Issue.record("/refused ended otherwise")
                return
            }
            #expect(failure.code == .http(403))
        }
    }

    @Test("by a host that a redirect leads to names that one, which isn't asked again before its time")
    func redirected() async throws {
        try await TransferBench.run { bench in
            let other = try Origin.start(address: "127.0.0.2")
            defer { other.stop() }
            other.serveOthers { _ in OriginAnswer(429, [("Retry-After", "600")]) }
            let target = other.url("/b.jpg")
            bench.origin.serveOthers { _ in .redirect(target) }
            let host = try other.jobURL("/b.jpg").hostKey
            let begin = ContinuousClock.now
            for path in ["/1", "/2", "/3"] {
                guard case .hindered(_, .hostAsksToWait(host, let seconds)) = try await bench.fetch(path).end
                else {
                    Issue.record("\(path) ended otherwise")
                    continue
                }
                // Of the ten minutes, no more is over than has been spent here.
                let spent = (ContinuousClock.now - begin) / .seconds(1)
                #expect((599 - spent...600).contains(seconds ?? 0))
            }
            #expect(other.requests.count == 1 && bench.origin.requests.count == 3)
        }
    }

    @Test("by having no address is told apart from one whose host refuses it")
    func unreached() async throws {
        try await TransferBench.run { bench in
            let nowhere = try JobURL("http://nowhere.invalid/a.jpg")
            guard case .hindered(let failure, let hindrance) = try await bench.fetch(nowhere).end else {
                Issue.record("it ended otherwise")
                return
            }
            #expect(failure.code == .unresolvedHost && hindrance == .unreached(host: "nowhere.invalid:80"))
            let closed = try Origin.start()
            closed.stop()
            guard case .interrupted(let refusal, nil) = try await bench.fetch(closed.jobURL("/a.jpg")).end
            else {
                Issue.record("it ended otherwise")
                return
            }
            #expect(refusal.code == .connectFailed)
        }
    }

    @Test("by nothing reports each further request to a host with a pace, and to no other")
    func requested() async throws {
        let rules = HostRules(named: ["127.0.0.2": HostLimits(pace: Pace(requests: 2, per: 1))])
        try await TransferBench.run {
            $0.hosts = rules
        } _: { bench in
            let other = try Origin.start(address: "127.0.0.2")
            defer { other.stop() }
            other.serve("/b.jpg") { _ in .redirect("/c.jpg") }
            other.serve("/c.jpg", file)
            let target = other.url("/b.jpg")
            bench.origin.serve("/a.jpg") { _ in .redirect("/again.jpg") }
            bench.origin.serve("/again.jpg") { _ in .redirect(target) }
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end?.code == nil)
            let host = try other.jobURL("/b.jpg").hostKey
            let requested = running.reports.filter { if case .requested = $0 { true } else { false } }
            #expect(requested == [.requested(host: host), .requested(host: host)])
        }
    }
}

@Suite("A host with a pace", .timeLimit(.minutes(2)))
struct PacedTransferTests {
    private static let pace = HostRules(named: ["127.0.0.2": HostLimits(pace: Pace(requests: 2, per: 1))])

    /// The least seconds in which so many requests may be begun: two at once, and then one each half a second.
    private func least(_ requests: Int) -> Double { Double(requests - 2) * 0.5 }

    @Test("is asked no more often by those whom others lead there, either, and no more slowly than it may be")
    func redirects() async throws {
        try await TransferBench.run {
            $0.hosts = Self.pace
        } _: { bench in
            let other = try Origin.start(address: "127.0.0.2")
            defer { other.stop() }
            let file = OriginFile(seed: 41, count: 3000)
            other.serveOthers { file.answer(to: $0) }
            let began = ContinuousClock.now
            var running: [TransferBench.Running] = []
            for number in 1...8 {
                let target = other.url("/\(number).jpg")
                bench.origin.serve("/\(number).jpg") { _ in .redirect(target) }
                running.append(try bench.fetch("/\(number).jpg"))
            }
            for transfer in running { #expect(await transfer.end?.code == nil) }
            let seconds = Double((ContinuousClock.now - began) / .seconds(1))
            #expect(other.requests.count == 8)
            #expect(seconds > least(8) - 0.05, "\(seconds)")
        }
    }

    @Test("is asked for segments at that pace, and the file is whole")
    func segments() async throws {
        try await TransferBench.run {
            $0.hosts = Self.pace
        } _: { bench in
            let other = try Origin.start(address: "127.0.0.2")
            defer { other.stop() }
            let file = OriginFile(seed: 42, count: 40 << 20)
            other.serve("/a.jpg") { file.answer(to: $0).paced(bytesPerSecond: 5 << 20) }
            let began = ContinuousClock.now
            let running = try bench.fetch(other.jobURL("/a.jpg"))
            #expect(await running.end == .completed(length: 40 << 20, lengthProven: true))
            let seconds = Double((ContinuousClock.now - began) / .seconds(1))
            let isSame = running.partial == file.bytes
            #expect(isSame)
            let count = other.requests.count
            #expect(count > 1 && seconds > least(count) - 0.05, "\(count) in \(seconds) s")
        }
    }

    @Test("and what is stopped while it waits for its turn isn't asked for")
    func stopped() async throws {
        try await TransferBench.run {
            $0.hosts = HostRules(named: ["127.0.0.2": HostLimits(pace: Pace(requests: 1, per: 20))])
        } _: { bench in
            let other = try Origin.start(address: "127.0.0.2")
            defer { other.stop() }
            let file = OriginFile(seed: 43, count: 3000)
            other.serveOthers { file.answer(to: $0) }
            let first = try bench.fetch(other.jobURL("/1.jpg"))
            #expect(await first.end?.code == nil)
            let second = try bench.fetch(other.jobURL("/2.jpg"))
            second.stop()
            #expect(await second.end == .stopped)
            #expect(other.requests.count == 1)
        }
    }
}

@Suite("A large file of a host that answers only one stream", .timeLimit(.minutes(2)))
struct SilentStreamTests {
    private static let mib = 1 << 20

    @Test("comes in that one, and the next file is asked for with no more")
    func silent() async throws {
        try await TransferBench.run { bench in
            let gate = OriginGate()
            defer { gate.open() }
            let file = OriginFile(seed: 40, count: 40 * Self.mib)
            bench.origin.serve("/a.jpg") { request in
                request.index == 0
                    ? file.whole.paced(bytesPerSecond: 5 * Self.mib) : file.answer(to: request).held(by: gate)
            }
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: Int64(40 * Self.mib), lengthProven: true))
            let isSame = running.partial == file.bytes
            #expect(isSame)
            #expect(bench.origin.requests("/a.jpg").count == 4, "the others were tried once")
            bench.origin.serve("/b.jpg") { file.answer(to: $0).paced(bytesPerSecond: 20 * Self.mib) }
            #expect(try await bench.fetch("/b.jpg").end?.code == nil)
            #expect(bench.origin.requests("/b.jpg").count == 1)
        }
    }
}
