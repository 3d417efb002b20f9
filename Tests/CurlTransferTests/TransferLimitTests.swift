import CurlTransfer
import JobCore
import JobModel
import TestSupport
import Testing
import Vocabulary

@Suite("Limits of transfers", .timeLimit(.minutes(1)))
struct TransferLimitTests {
    private let file = OriginFile(seed: 51, count: 100_000)

    @Test("end a file that is announced, or grows, larger than allowed", arguments: [true, false])
    func tooLarge(isAnnounced: Bool) async throws {
        try await TransferBench.run {
            $0.policy.maximumLength = 99_999
        } _: { bench in
            bench.origin.serve("/a.jpg") { _ in isAnnounced ? file.whole : file.whole.framed(.chunked) }
            let running = try bench.fetch("/a.jpg")
            let end = try #require(await running.end)
            #expect(end.isRefusal)
            #expect(end.code == .tooLarge)
            #expect(running.partial.count <= 99_999)
        }
    }

    @Test("leave the last descriptors to others: a transfer that would take one waits, and isn't counted")
    func descriptors() async throws {
        try await TransferBench.run {
            $0.descriptorCeiling = { 0 }
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            for url in [bench.origin.url("/a.jpg"), "http://localhost:\(bench.origin.port)/a.jpg"] {
                let end = try #require(try await bench.fetch(JobURL(url)).end)
                #expect(end.code == .outOfResources)
                #expect(!end.isRefusal)
            }
            #expect(bench.origin.connectionCount == 0)
        }
    }

    @Test("bound the connections that are kept, and close one for another server's")
    func connections() async throws {
        try await TransferBench.run {
            $0.maximumConnections = 1
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            // One server by two names is two to libcurl.
            for host in ["127.0.0.1", "localhost", "127.0.0.1"] {
                let url = try JobURL("http://\(host):\(bench.origin.port)/a.jpg")
                let end = try #require(try await bench.fetch(url).end)
                #expect(end == .completed(length: 100_000, lengthProven: true))
            }
            #expect(bench.origin.connectionCount == 3)
        }
    }

    @Test(
        "keep connections out of denied networks, however they are spelt",
        arguments: ["127.0.0.1", "127.0.0.0/8", "::ffff:127.0.0.1", "0.0.0.0/0", "::/0"]
    )
    func deniedNetwork(range: String) async throws {
        let denied = try #require(NetworkRange(range))
        try await TransferBench.run {
            $0.deniedNetworks = [denied]
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            for url in [bench.origin.url("/a.jpg"), "http://localhost:\(bench.origin.port)/a.jpg"] {
                // localhost is ::1 too, where nobody listens: that only fails to connect.
                let end = try #require(try await bench.fetch(JobURL(url)).end)
                #expect(
                    end.code == .deniedNetwork || (url.contains("localhost") && end.code == .connectFailed)
                )
            }
            #expect(bench.origin.connectionCount == 0)
        }
    }

    @Test("keep connections out of a denied network of IPv4 by their IPv4-mapped addresses too")
    func deniedMappedAddress() async throws {
        let denied = try #require(NetworkRange("127.0.0.0/8"))
        try await TransferBench.run {
            $0.deniedNetworks = [denied]
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            for address in ["::ffff:127.0.0.1", "::ffff:7f00:1", "0:0:0:0:0:ffff:7f00:0001"] {
                let url = try JobURL("http://[\(address)]:\(bench.origin.port)/a.jpg")
                let end = try #require(try await bench.fetch(url).end)
                #expect(end.isRefusal)
                #expect(end.code == .deniedNetwork)
            }
            #expect(bench.origin.connectionCount == 0)
        }
    }

    @Test("keep connections out of loopback by addresses that stand for none", arguments: ["0.0.0.0", "0"])
    func deniedUnspecified(host: String) async throws {
        let denied = try #require(NetworkRange("127.0.0.0/8"))
        try await TransferBench.run {
            $0.deniedNetworks = [denied]
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            let end = try await bench.fetch(JobURL("http://\(host):\(bench.origin.port)/a.jpg")).end
            #expect(end?.code == .deniedNetwork)
            #expect(bench.origin.connectionCount == 0)
        }
    }

    @Test("keep redirects out of denied networks too, for good")
    func deniedRedirect() async throws {
        let other = try Origin.start(address: "127.0.0.2")
        defer { other.stop() }
        let denied = try #require(NetworkRange("127.0.0.2/32"))
        try await TransferBench.run {
            $0.deniedNetworks = [denied]
        } _: { bench in
            let target = other.url("/a.jpg")
            bench.origin.serve("/a.jpg") { _ in .redirect(target) }
            let end = try #require(try await bench.fetch("/a.jpg").end)
            #expect(end.isRefusal)
            #expect(end.code == .deniedNetwork)
            #expect(other.connectionCount == 0)
        }
    }

    @Test("slow down one transfer by its own rate")
    func ownRate() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let clock = ContinuousClock()
            let began = clock.now
            let running = try bench.fetch("/a.jpg", rateLimit: 100_000)
            #expect(await running.end == .completed(length: 100_000, lengthProven: true))
            #expect(running.partial == file.bytes)
            // A tenth of a second's worth and a last chunk come free.
            #expect(clock.now - began > .milliseconds(600))
        }
    }

    @Test("that slow a transfer down below the stall speed don't make it stalled")
    func ownRateBelowStallSpeed() async throws {
        try await TransferBench.run {
            $0.lowSpeedLimit = 1_000_000
            $0.lowSpeedTime = 1
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            let clock = ContinuousClock()
            let began = clock.now
            let running = try bench.fetch("/a.jpg", rateLimit: 30_000)
            #expect(await running.end == .completed(length: 100_000, lengthProven: true))
            let isSame = running.partial == file.bytes
            #expect(isSame)
            // Longer than a transfer may be slow, or this would show nothing.
            #expect(clock.now - began > .milliseconds(2500))
        }
    }

    @Test("of a transfer's own rate take the place of a higher stall speed, with room below them")
    func slowBelowOwnRate() async throws {
        try await TransferBench.run {
            $0.lowSpeedLimit = 10_000_000
            $0.lowSpeedTime = 1
            // A stream may be as slow as a quarter of its share.
            $0.segments = 16
        } _: { bench in
            let file = OriginFile(seed: 52, count: 200_000)
            // A sixteenth of the rate, so that it isn't held back for more than a second in between.
            bench.origin.serve("/a.jpg") { file.answer(to: $0).paced(bytesPerSecond: 50_000) }
            let running = try bench.fetch("/a.jpg", rateLimit: 800_000)
            #expect(await running.end == .completed(length: 200_000, lengthProven: true))
            let isSame = running.partial == file.bytes
            #expect(isSame)
        }
    }

    @Test("slow down all transfers together by the total rate, and lose no byte")
    func totalRate() async throws {
        try await TransferBench.run {
            $0.totalRateLimit = 400_000
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            let clock = ContinuousClock()
            let began = clock.now
            let all = try (0..<4).map { _ in try bench.fetch("/a.jpg") }
            for running in all {
                #expect(await running.end == .completed(length: 100_000, lengthProven: true))
                #expect(running.partial == file.bytes)
            }
            // 400,000 bytes, of which a tenth of a second's worth and a last chunk each come free.
            #expect(clock.now - began > .milliseconds(600))
        }
    }

    @Test("follow another total rate while transfers are under way")
    func presentRate() async throws {
        try await TransferBench.run { _ in
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            bench.limitRate(to: 1)
            let running = try bench.fetch("/a.jpg")
            _ = await bench.report(of: running.job) { if case .began = $0 { true } else { false } }
            #expect(running.partial.count < file.bytes.count)
            bench.limitRate(to: nil)
            #expect(await running.end == .completed(length: 100_000, lengthProven: true))
            #expect(running.partial == file.bytes)
        }
    }

    @Test("stop a transfer that is held back by the total rate at once")
    func stopHeld() async throws {
        try await TransferBench.run {
            $0.totalRateLimit = 1
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            let running = try bench.fetch("/a.jpg")
            _ = await bench.report(of: running.job) { if case .began = $0 { true } else { false } }
            running.stop()
            #expect(await running.end == .stopped)
        }
    }

    @Test("that change hold for the transfers that begin after")
    func reconfigure() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            #expect(try await bench.fetch("/a.jpg").end == .completed(length: 100_000, lengthProven: true))
            bench.reconfigure(
                CurlTransferConfiguration(
                    userAgent: "other/2",
                    policy: TransferPolicy(maximumLength: 10),
                    deniedNetworks: []
                )
            )
            let end = try #require(try await bench.fetch("/a.jpg").end)
            #expect(end.code == .tooLarge)
            #expect(bench.origin.requests.last?.header("User-Agent") == "other/2")
        }
    }

    @Test("of the disk let the job wait", arguments: [nil, 200_000])
    func diskFull(totalRateLimit: Int64?) async throws {
        try await TransferBench.run {
            $0.totalRateLimit = totalRateLimit
        } _: { bench in
            bench.origin.serve("/a.jpg", file)
            // Every write to /dev/full fails with ENOSPC.
            let end = try #require(
                try await bench.fetch(bench.origin.jobURL("/a.jpg"), path: "/dev/full").end
            )
            #expect(end.isTransient)
            #expect(end.code == .diskFull)
        }
    }

    @Test("of the file system are storage errors")
    func storageError() async throws {
        try await TransferBench.run { bench in
            bench.origin.serve("/a.jpg", file)
            let file = try bench.directory.write([], to: "file")
            // A directory that is gone says nothing about the job, and another thing in its place does.
            for (path, code) in [
                (bench.directory.path("missing/a.part"), FailureCode.storageLost),
                (file + "/a.part", .storageError),
            ] {
                let end = try #require(try await bench.fetch(bench.origin.jobURL("/a.jpg"), path: path).end)
                #expect(end.isTransient)
                #expect(end.code == code)
            }
        }
    }
}
