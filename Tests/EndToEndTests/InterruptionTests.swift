import Foundation
import TestSupport
import Testing

/// Tests that what is cut off goes on: kills, stops and restarts of the real daemon.
struct InterruptionTests {
    private static let size = 1_000_000

    @Test("A daemon that is killed in mid-download goes on at the byte where it was")
    func killed() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/first.jpg", OriginFile(seed: 1, count: 5000))
        let file = OriginFile(seed: 2, count: Self.size)
        let gate = OriginGate()
        origin.serve("/second.jpg") { request in
            let answer = file.answer(to: request)
            return request.index == 0 ? answer.held(beforeByte: 500_000, by: gate) : answer
        }
        let installation = try Installation()
        let killed = try await installation.startDaemon()
        _ = try await installation.facefetch("add", "--wait", origin.url("/first.jpg"))
        _ = try await installation.facefetch("add", origin.url("/second.jpg"))
        let before = try installation.follow()
        #expect(await before.outputLine(containing: "downloading \"second.jpg\", 50% done") != nil)
        killed.signal(SIGKILL)
        #expect(await killed.status == -SIGKILL)
        gate.open()
        before.signal(SIGKILL)
        let held = try FileManager.default.attributesOfItem(atPath: installation.partials + "/2.part")[.size]
        let offset = try #require(held as? Int)
        #expect(offset >= 500_000)

        let restarted = try await installation.startDaemon()
        let after = try installation.follow()
        #expect(await after.outputLine(containing: "face detection in \"second.jpg\": ") != nil)
        after.signal(SIGKILL)
        #expect(await restarted.stop() == 0)

        #expect(try installation.document("second.jpg") == file.bytes)
        let log = try installation.eventLog()
        let resumed = "resumed download of \"second.jpg\" at byte \(offset) of \(Self.size)"
        #expect(log.filter { $0.hasSuffix(resumed) }.count == 1)
        for step in 1...10 {
            #expect(log.filter { $0.hasSuffix("downloading \"second.jpg\", \(step * 10)% done") }.count == 1)
        }
        #expect(log.filter { $0.contains(" b1 j1 ") }.count == 15, "the finished job ran once")
        #expect(origin.requests("/first.jpg").count == 1)
        let second = try #require(origin.requests("/second.jpg").last)
        #expect(second.header("range") == "bytes=\(offset)-")
        #expect(second.header("if-range") == "\"v1\"")
    }

    @Test("A file in segments goes on where a kill left it, with next to nothing fetched twice")
    func killedInSegments() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let size = 40 << 20
        let file = OriginFile(seed: 6, count: size)
        // Four pieces of 8 MiB or so: each stands still after 7, so that the kill comes in mid-download.
        let gate = OriginGate()
        defer { gate.open() }
        origin.serve("/large.jpg") { file.answer(to: $0).held(beforeByte: 7 << 20, by: gate) }
        let installation = try Installation()
        let killed = try await installation.startDaemon()
        _ = try await installation.facefetch("add", origin.url("/large.jpg"))
        let before = try installation.follow()
        #expect(await before.outputLine(containing: "60% done") != nil)
        killed.signal(SIGKILL)
        #expect(await killed.status == -SIGKILL)
        before.signal(SIGKILL)
        #expect(origin.requests("/large.jpg").count >= 4)

        origin.serve("/large.jpg", file)
        let restarted = try await installation.startDaemon()
        let after = try installation.follow()
        #expect(await after.outputLine(containing: "face detection in \"large.jpg\": ") != nil)
        after.signal(SIGKILL)
        #expect(await restarted.stop() == 0)

        let isSame = try installation.document("large.jpg") == file.bytes
        #expect(isSame)
        let log = try installation.eventLog()
        let resumed = try #require(log.first { $0.contains("resumed download of \"large.jpg\" at byte ") })
        #expect(resumed.hasSuffix(" of \(size)"))
        let words = resumed.split(separator: " ")
        let held = try #require(Int(words[words.count - 3]))
        #expect(held >= size * 6 / 10 - (8 << 20))
        for step in 1...10 {
            #expect(log.filter { $0.hasSuffix("downloading \"large.jpg\", \(step * 10)% done") }.count == 1)
        }
    }

    @Test("A file that changed meanwhile is fetched from zero, and the log says so")
    func changed() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let old = OriginFile(seed: 2, count: Self.size, entityTag: "\"old\"")
        let new = OriginFile(seed: 3, count: Self.size, entityTag: "\"new\"")
        let gate = OriginGate()
        origin.serve("/a.jpg") { request in
            request.index == 0
                ? old.answer(to: request).held(beforeByte: 700_000, by: gate) : new.answer(to: request)
        }
        let installation = try Installation()
        let killed = try await installation.startDaemon()
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        let before = try installation.follow()
        #expect(await before.outputLine(containing: "70% done") != nil)
        killed.signal(SIGKILL)
        _ = await killed.status
        gate.open()
        before.signal(SIGKILL)

        let restarted = try await installation.startDaemon()
        let after = try installation.follow()
        #expect(await after.outputLine(containing: "face detection in \"a.jpg\": ") != nil)
        after.signal(SIGKILL)
        #expect(await restarted.stop() == 0)
        #expect(try installation.document("a.jpg") == new.bytes)
        let log = try installation.eventLog()
        #expect(log.filter { $0.contains("restarted download of \"a.jpg\" from zero: ") }.count == 1)
        #expect(log.filter { $0.contains("resumed download") }.isEmpty)
    }

    @Test("SIGTERM in mid-download ends with status 0, keeps the partial, and the next start goes on")
    func terminated() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 4, count: Self.size)
        let gate = OriginGate()
        origin.serve("/a.jpg") { request in
            let answer = file.answer(to: request)
            return request.index == 0 ? answer.held(beforeByte: 300_000, by: gate) : answer
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        let before = try installation.follow()
        #expect(await before.outputLine(containing: "30% done") != nil)
        #expect(await daemon.stop() == 0)
        gate.open()
        before.signal(SIGKILL)
        let names = try FileManager.default.contentsOfDirectory(atPath: installation.partials)
        #expect(names == ["1.part"])

        let next = try await installation.startDaemon()
        let after = try installation.follow()
        #expect(await after.outputLine(containing: "face detection in \"a.jpg\": ") != nil)
        after.signal(SIGKILL)
        #expect(await next.stop() == 0)
        #expect(try installation.document("a.jpg") == file.bytes)
        #expect(
            try installation.eventLog().contains { $0.contains("resumed download of \"a.jpg\" at byte ") }
        )
    }

    @Test("What was accepted is there after a kill, with nothing fetched yet")
    func durableAcceptance() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let gate = OriginGate()
        for number in 0..<20 {
            origin.serve("/\(number).jpg") { request in
                OriginFile(seed: 5, count: 1000).answer(to: request).held(by: gate)
            }
        }
        let installation = try Installation()
        let killed = try await installation.startDaemon()
        let urls = (0..<20).map { origin.url("/\($0).jpg") }
        let added = try await Program.run(
            "facefetch",
            ["add"] + urls,
            environment: ["FACEFETCH_SOCKET": installation.socket]
        )
        #expect(added.status == 0)
        killed.signal(SIGKILL)
        _ = await killed.status
        let restarted = try await installation.startDaemon()
        gate.open()
        let listed = try await installation.facefetch("list", "--json")
        #expect(try installation.jobs(listed).map(\.url) == urls)
        #expect(await restarted.stop() == 0)
    }
}
