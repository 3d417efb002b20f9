import CurlTransfer
import JobModel
import TestSupport
import Testing
import Vocabulary

@Suite("Cookies and what the settings have for hosts", .timeLimit(.minutes(1)))
struct HostCredentialsTests {
    private let file = OriginFile(seed: 61, count: 50_000)

    private static func credentials(
        _ fields: [(String, String)] = [],
        cookies: [String] = []
    ) throws -> HostCredentials {
        HostCredentials(
            fields: try fields.map { try RequestHeader(name: $0.0, value: $0.1) },
            cookies: try CookieFile(cookies.joined(separator: "\n").utf8).cookies
        )
    }

    @Test("A transfer keeps the cookies that its own redirects set, and the next begins without any")
    func ownChain() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg") { _ in
                OriginAnswer.redirect("/b.jpg").header("Set-Cookie", "visit=1; Path=/")
            }
            bench.origin.serve("/b.jpg", file)
            // One after the other, so that they use the same handle.
            for number in 0..<3 {
                let running = try bench.fetch("/a.jpg")
                #expect(await running.end == .completed(length: 50_000, lengthProven: true))
                #expect(bench.origin.requests("/a.jpg")[number].header("Cookie") == nil)
                #expect(bench.origin.requests("/b.jpg")[number].header("Cookie") == "visit=1")
            }
            let direct = try bench.fetch("/b.jpg")
            #expect(await direct.end == .completed(length: 50_000, lengthProven: true))
            #expect(bench.origin.requests("/b.jpg").last?.header("Cookie") == nil)
        }
    }

    @Test("A URL that redirects to itself with a cookie is asked again, as long as cookies change")
    func repeated() async throws {
        try await TransferBench.run { bench in
            let file = file
            bench.origin.serve("/a.jpg") { request in
                guard request.header("Cookie") == nil else { return file.answer(to: request) }
                return OriginAnswer.redirect("/a.jpg").header("Set-Cookie", "seen=1; Path=/")
            }
            bench.origin.serve("/same.jpg") { _ in
                OriginAnswer.redirect("/same.jpg").header("Set-Cookie", "seen=1; Path=/")
            }
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: 50_000, lengthProven: true))
            let loop = try bench.fetch("/same.jpg")
            guard case .refused(let failure) = await loop.end else { return #expect(Bool(false)) }
            #expect(failure.code == .tooManyRedirects && bench.origin.requests("/same.jpg").count == 2)
        }
    }

    @Test(
        "A job's own cookies stay at home, make one field with the others, and give way to what servers set"
    )
    func jobsOwn() async throws {
        try await TransferBench.run { bench in
            let other = try Origin.start(address: "127.0.0.2")
            defer { other.stop() }
            let away = other.url("/c.jpg")
            bench.origin.serve("/a.jpg") { _ in
                OriginAnswer.redirect("/b.jpg").header("Set-Cookie", "token=new; Path=/")
            }
            bench.origin.serve("/b.jpg") { _ in .redirect(away) }
            other.serve("/c.jpg", file)
            let own = try RequestHeader(name: "Cookie", value: "token=old; lang=en")
            let running = try bench.fetch("/a.jpg", headers: [own])
            #expect(await running.end == .completed(length: 50_000, lengthProven: true))
            #expect(bench.origin.requests("/a.jpg").first?.header("Cookie") == "token=old; lang=en")
            #expect(bench.origin.requests("/b.jpg").first?.header("Cookie") == "token=new; lang=en")
            #expect(other.requests("/c.jpg").first?.header("Cookie") == nil)
            let next = try bench.fetch("/a.jpg")
            _ = await next.end
            #expect(bench.origin.requests("/a.jpg").last?.header("Cookie") == nil)
        }
    }

    @Test("A host's fields and cookies go to that host alone, whoever redirects there, and from there")
    func hosts() async throws {
        let credentials = try Self.credentials(
            [("Authorization", "Bearer SECRET"), ("Accept", "image/png"), ("X-Own", "theirs")],
            cookies: [
                "127.0.0.2\tFALSE\t/\tFALSE\t0\tsession\tabc", "127.0.0.2\tFALSE\t/x\tFALSE\t0\tdeep\t1",
                "127.0.0.1\tFALSE\t/\tFALSE\t0\tother\t1", "127.0.0.2\tFALSE\t/\tFALSE\t1000\told\t1",
            ]
        )
        try await TransferBench.run {
            $0.credentials = HostNames(["127.0.0.2": credentials])
        } _: { bench in
            let other = try Origin.start(address: "127.0.0.2")
            defer { other.stop() }
            let (there, back) = (other.url("/b.jpg"), bench.origin.url("/c.jpg"))
            bench.origin.serve("/a.jpg") { _ in .redirect(there) }
            other.serve("/b.jpg") { _ in
                OriginAnswer.redirect("/x/b.jpg").header("Set-Cookie", "session=new; Path=/")
            }
            other.serve("/x/b.jpg") { _ in .redirect(back) }
            bench.origin.serve("/c.jpg", file)
            for _ in 0..<2 {
                let running = try bench.fetch(
                    "/a.jpg",
                    headers: [try RequestHeader(name: "X-Own", value: "1")]
                )
                #expect(await running.end == .completed(length: 50_000, lengthProven: true))
            }
            for request in bench.origin.requests {
                #expect(request.header("Authorization") == nil && request.header("Cookie") == nil)
                #expect(request.header("Accept")?.hasPrefix("image/png") != true)
                #expect(request.header("X-Own") == "1")
            }
            for request in other.requests("/b.jpg") {
                #expect(request.header("Authorization") == "Bearer SECRET")
                #expect(request.header("Accept") == "image/png" && request.header("X-Own") == "theirs")
                #expect(request.header("Cookie") == "session=abc")
            }
            #expect(
                other.requests("/x/b.jpg").map { $0.header("Cookie") } == [
                    "deep=1; session=new", "deep=1; session=new",
                ]
            )
        }
    }

    @Test("A job's own field or cookie goes before that of the settings")
    func precedence() async throws {
        let credentials = try Self.credentials(
            [("Authorization", "Bearer theirs")],
            cookies: ["127.0.0.1\tFALSE\t/\tFALSE\t0\ta\ttheirs", "127.0.0.1\tFALSE\t/\tFALSE\t0\tb\ttheirs"]
        )
        try await TransferBench.run {
            $0.credentials = HostNames(["127.0.0.1": credentials])
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            let own = [
                try RequestHeader(name: "authorization", value: "own"),
                try RequestHeader(name: "cookie", value: "a=own"),
            ]
            let running = try bench.fetch("/a.jpg", headers: own)
            #expect(await running.end == .completed(length: 50_000, lengthProven: true))
            let request = try #require(bench.origin.requests("/a.jpg").first)
            #expect(request.header("Authorization") == "own")
            #expect(request.header("Cookie") == "b=theirs; a=own")
        }
    }

    @Test("Each stream of a large file sends the cookies that were set on the way to it")
    func segments() async throws {
        let large = OriginFile(seed: 62, count: 40 << 20)
        // The first stream waits in mid-file until the others have asked.
        let gate = OriginGate()
        try await TransferBench.run {
            $0.segments = 4
        } _: { bench in
            bench.origin.serve("/a.jpg") { _ in
                OriginAnswer.redirect("/b.jpg").header("Set-Cookie", "visit=1; Path=/")
            }
            bench.origin.serve("/b.jpg") { request in
                guard request.header("Cookie") == "visit=1" else { return OriginAnswer(403) }
                if request.index == 0 { return large.whole.held(beforeByte: 1 << 20, by: gate) }
                if request.index >= 3 { gate.open() }
                return large.answer(to: request)
            }
            let running = try bench.fetch("/a.jpg")
            #expect(await running.end == .completed(length: 40 << 20, lengthProven: true))
            let requests = bench.origin.requests("/b.jpg")
            #expect(requests.count > 3 && requests.allSatisfy { $0.header("Cookie") == "visit=1" })
        }
    }

    @Test("All transfers from one host share its rate, and those from others don't")
    func rate() async throws {
        try await TransferBench.run {
            $0.hosts = HostRules(named: ["127.0.0.1": HostLimits(rateLimit: 100_000)])
        } _: { bench in
            let other = try Origin.start(address: "127.0.0.2")
            defer { other.stop() }
            for origin in [bench.origin, other] {
                for path in ["/a.jpg", "/b.jpg"] { origin.serve(path, file) }
            }
            let began = ContinuousClock.now
            let slow = try ["/a.jpg", "/b.jpg"].map { try bench.fetch($0) }
            let quick = try ["/a.jpg", "/b.jpg"].map { try bench.fetch(JobURL(other.url($0))) }
            for running in quick + slow {
                #expect(await running.end == .completed(length: 50_000, lengthProven: true))
            }
            // 100,000 bytes at as many a second, of which the last chunk may be overdrawn.
            #expect(ContinuousClock.now - began > .milliseconds(700))
        }
    }

    @Test("Pages of sources take a host's fields and cookies as well")
    func pages() async throws {
        let credentials = try Self.credentials(
            [("X-Key", "SECRET")],
            cookies: ["127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tabc"]
        )
        let bench = try PageBench { $0.credentials = HostNames(["127.0.0.1": credentials]) }
        bench.origin.serve("/list") { _ in
            OriginAnswer.redirect("/here").header("Set-Cookie", "visit=1; Path=/")
        }
        bench.origin.serve("/here") { _ in
            OriginAnswer(200, [("Content-Type", "application/json")], body: Array("{}".utf8))
        }
        _ = try await bench.fetcher.fetch(try bench.request("/list")).get()
        let first = try #require(bench.origin.requests("/list").first)
        #expect(first.header("X-Key") == "SECRET" && first.header("Cookie") == "session=abc")
        let second = try #require(bench.origin.requests("/here").first)
        #expect(second.header("X-Key") == "SECRET")
        #expect(Set(second.header("Cookie")?.split(separator: "; ") ?? []) == ["session=abc", "visit=1"])
        // Another page begins without what was set.
        _ = try await bench.fetcher.fetch(try bench.request("/list")).get()
        #expect(bench.origin.requests("/list").last?.header("Cookie") == "session=abc")
    }
}
