import ControlAPI
import Foundation
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
        // The first answers stand still in mid-piece, and then break off.
        origin.serve("/large.jpg") { request in
            let answer = file.answer(to: request)
            return request.index < 4 ? answer.held(beforeByte: 7 << 20, by: gate).cut(after: 7 << 20) : answer
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DETECTION_WHEN": "held"])
        _ = try await installation.facefetch("add", origin.url("/large.jpg"))
        let events = try installation.follow()
        #expect(await events.outputLine(containing: "60% done") != nil)
        try await limit(daemon, to: 0)
        gate.open()
        // It may first wait because the answers broke off.
        #expect(await events.outputLine(containing: "the daemon has no file descriptors left") != nil)
        try await limit(daemon, to: 512)
        #expect(await events.outputLine(containing: "stored \"large.jpg\" at ") != nil)
        events.signal(SIGKILL)
        #expect(await daemon.stop() == 0)
        let isSame = try installation.document("large.jpg") == file.bytes
        #expect(isSame)
        let log = try installation.eventLog()
        #expect(log.filter { $0.contains("restarted download") }.isEmpty)
        #expect(log.contains { $0.contains("resumed download of \"large.jpg\" at byte ") })
    }
}
