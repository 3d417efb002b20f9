import ControlAPI
import Foundation
import Synchronization
import TestSupport
import Testing

/// Running out of descriptors costs time, and nothing else.
@Suite(.timeLimit(.minutes(5)))
struct DescriptorTests {
    /// Has a process open no more files than so many, under the limit that it can't go beyond.
    private func limit(_ program: Program, to count: Int) async throws {
        let words = ["--pid", String(program.id), "--nofile=\(count):"]
        try #require(await Program.run("/usr/bin/prlimit", words).status == 0)
    }

    @Test("A file in segments keeps what it has while no file can be opened, and goes on by itself")
    func segments() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let size = 40 << 20
        let file = OriginFile(seed: 6, count: size)
        let gate = OriginGate()
        defer { gate.open() }
        // All answers stand still in mid-piece until no file can be opened any more, and then break off: a stream that
        // is silent beside others may be begun anew, on a busy machine before that.
        let isLimited = Mutex(false)
        origin.serve("/large.jpg") { request in
            let answer = file.answer(to: request)
            guard !isLimited.withLock({ $0 }) else { return answer }
            let end = min(7 << 20, max(0, answer.body.count - 1))
            return answer.held(beforeByte: end, by: gate).cut(after: end)
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DETECTION_WHEN": "held"])
        _ = try await installation.facefetch("add", origin.url("/large.jpg"))
        // In the file: a daemon without descriptors may have none for whoever follows by its socket, either.
        try #require(await installation.logs("60% done"))
        // All below 16 are in use; with less, poll(2) refuses to wait for any (EINVAL).
        try await limit(daemon, to: 16)
        isLimited.withLock { $0 = true }
        gate.open()
        // It may first wait because the answers broke off.
        let words = "the daemon has no file descriptors left (LimitNOFILE= of its unit)"
        #expect(await installation.logs(words), "\((try? installation.eventLog()) ?? [])")
        try await limit(daemon, to: 512)
        let end = "stored \"large.jpg\" at \(installation.documents)/large.jpg"
        #expect(await installation.logs(end), "\((try? installation.eventLog()) ?? [])")
        #expect(await daemon.stop() == 0)
        let isSame = try installation.document("large.jpg") == file.bytes
        #expect(isSame)
        let log = try installation.eventLog()
        #expect(log.filter { $0.contains("restarted download") }.isEmpty)
        #expect(log.contains { $0.contains("resumed download of \"large.jpg\" at byte ") })
    }

    /// Starts a daemon that may never have more descriptors than so many.
    private func start(
        _ installation: Installation,
        descriptors: Int,
        environment: [String: String] = [:]
    ) throws -> Program {
        let words = [
            "-c", "ulimit -n \(descriptors) && exec \"$0\" \"$@\"", Program.directory + "/facefetchd",
        ]
        let cache = ["CACHE_DIRECTORY": installation.cache]
        return try Program(
            "/bin/sh",
            words + installation.flags,
            environment: cache.merging(environment) { _, given in given }
        )
    }

    @Test("With too few to live with, the daemon says so instead of starting", arguments: [16, 44, 72, 127])
    func tooFew(count: Int) async throws {
        let daemon = try start(try Installation(), descriptors: count)
        let words = await daemon.errorOutput()
        #expect(words.contains("may have only \(count) files") && words.contains("LimitNOFILE="), "\(words)")
        // systemd doesn't start it again after this one.
        #expect(await daemon.status == 78)
    }

    @Test(
        "With few, downloads leave people and the runtime what they need, and all are fetched in the end",
        arguments: [128, 192]
    )
    func few(count: Int) async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let gate = OriginGate()
        defer { gate.open() }
        let file = OriginFile(seed: 9, count: 200_000)
        let names = (1...60).map { "/\($0).jpg" }
        for name in names {
            origin.serve(name) { file.answer(to: $0).held(beforeByte: 100_000, by: gate) }
        }
        let installation = try Installation()
        let daemon = try start(
            installation,
            descriptors: count,
            environment: [
                "FACEFETCH_TRANSFER_CONCURRENCY": "1000", "FACEFETCH_TRANSFER_PER_HOST": "1000",
                "FACEFETCH_DETECTION_WHEN": "held",
            ]
        )
        #expect(await daemon.errorLine(containing: "files are downloaded at once") != nil)
        #expect(await daemon.errorLine(containing: "ready:") != nil)
        let list = installation.directory.path("list")
        let text = names.map { origin.url($0) + "\n" }.joined()
        try installation.directory.write(Array(text.utf8), to: "list")
        #expect(try await installation.facefetch("add", "--from", list).status == 0)
        for _ in 1...20 {
            let start = ContinuousClock.now
            #expect(try await installation.facefetch("status", "--json").status == 0)
            #expect(ContinuousClock.now - start < .seconds(5))
        }
        gate.open()
        let events = try installation.follow()
        for _ in names { #expect(await events.outputLine(containing: "stored \"") != nil) }
        events.signal(SIGKILL)
        #expect(await daemon.stop() == 0)
        #expect(
            try installation.eventLog().filter { $0.contains(" waits ") || $0.contains("failed") }.isEmpty
        )
    }
}
