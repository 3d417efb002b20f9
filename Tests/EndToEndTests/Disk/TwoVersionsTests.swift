import Foundation
import TestSupport
import Testing

/// A document is one version of a file, whatever its server does, and whenever the daemon is killed.
@Suite(.enabled(if: FaultyDisk.isThere, Comment(rawValue: FaultyDisk.comment)), .timeLimit(.minutes(5)))
struct TwoVersionsTests {
    /// An origin that serves one of two versions of a file, and a daemon that is killed at will.
    private struct Scene {
        let origin: Origin
        let installation: Installation
        let disk: FaultyDisk
        let old: OriginFile
        let new: OriginFile

        /// The new version is `longer` bytes longer.
        init(size: Int, longer: Int) throws {
            origin = try Origin.start()
            installation = try Installation()
            disk = FaultyDisk(installation)
            old = OriginFile(seed: 2, count: size, entityTag: "\"old\"")
            new = OriginFile(seed: 3, count: size + longer, entityTag: "\"new\"")
        }

        /// Serves the old version up to each `offset` of an answer, and kills the daemon at that step.
        func breakOff(path: String, at offset: Int, step: String) async throws {
            let (old, gate) = (old, OriginGate())
            origin.serve("/a.jpg") { old.answer(to: $0).held(beforeByte: offset, by: gate) }
            let daemon = try await installation.startDaemon(environment: disk.environment)
            _ = try await installation.facefetch("add", origin.url(path))
            #expect(await daemon.errorLine(containing: step) != nil)
            daemon.signal(SIGKILL)
            _ = await daemon.status
            gate.open()
        }

        /// Serves the new version, to a daemon that is killed after so many writes of it.
        func change(killedAfterWrites count: Int) async throws {
            origin.serve("/a.jpg", new)
            try disk.kill(afterWrites: count, in: "/1.part")
            // It may be killed before it says that it is ready.
            let daemon = try Program("facefetchd", installation.flags, environment: disk.environment)
            #expect(await daemon.status == -SIGKILL)
            disk.heal()
        }

        /// Serves the old version again; the document is that, from its first byte to its last.
        func changeBack() async throws {
            origin.serve("/a.jpg", old)
            let daemon = try await installation.startDaemon(environment: disk.environment)
            let events = try installation.follow()
            #expect(await events.outputLine(containing: "stored \"a.jpg\" at ") != nil)
            events.signal(SIGKILL)
            #expect(await daemon.stop() == 0)
            origin.stop()
            let isOld = try installation.document("a.jpg") == old.bytes
            #expect(isOld)
        }
    }

    @Test(
        "A daemon that is killed while another version arrives makes no document of two",
        arguments: [1, 2, 5, 17, 40],
        [0, 300_000]
    )
    func oneStream(writes: Int, longer: Int) async throws {
        let scene = try Scene(size: 1_000_000, longer: longer)
        try await scene.breakOff(path: "/a.jpg", at: 700_000, step: "70% done")
        try await scene.change(killedAfterWrites: writes)
        try await scene.changeBack()
    }

    @Test("Nor where the other version is found behind a redirect", arguments: [1, 3])
    func redirected(writes: Int) async throws {
        let scene = try Scene(size: 1_000_000, longer: 0)
        scene.origin.serve("/b/a.jpg") { _ in .redirect("/a.jpg") }
        try await scene.breakOff(path: "/b/a.jpg", at: 700_000, step: "70% done")
        try await scene.change(killedAfterWrites: writes)
        try await scene.changeBack()
    }

    @Test("Nor of a file that comes in segments", arguments: [1, 3, 600])
    func segments(writes: Int) async throws {
        let scene = try Scene(size: 40 << 20, longer: 0)
        // Four pieces of 8 MiB or so: each stands still after 7.
        try await scene.breakOff(path: "/a.jpg", at: 7 << 20, step: "60% done")
        try await scene.change(killedAfterWrites: writes)
        try await scene.changeBack()
    }

    @Test("Nor at whatever write it is killed, or wherever the first try broke off", arguments: 1...6)
    func anywhere(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let scene = try Scene(size: 1_000_000, longer: Int.random(in: -200_000...200_000, using: &generator))
        let offset = Int.random(in: 100_000...900_000, using: &generator)
        try await scene.breakOff(path: "/a.jpg", at: offset, step: "\(offset / 100_000)0% done")
        try await scene.change(killedAfterWrites: Int.random(in: 1...45, using: &generator))
        try await scene.changeBack()
    }
}
