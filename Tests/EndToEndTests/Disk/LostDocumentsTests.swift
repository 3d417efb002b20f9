import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

/// The documents directory, taken away from a daemon that works.
@Suite("The documents directory, taken away", .serialized, .timeLimit(.minutes(5)))
struct LostDocumentsTests {
    private func status(_ installation: Installation) async throws -> StatusJSON {
        let result = try await installation.facefetch("status", "--json")
        return try JSONDecoder().decode(StatusJSON.self, from: Data(result.output.utf8))
    }

    private func hold(_ installation: Installation) async throws -> StatusJSON.Hold? {
        try await status(installation).holds?.first { $0.kind == .known(.storage) }
    }

    @Test("Moved away: it is held and said once, and goes on by itself when it is back")
    func moved() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let file = OriginFile(seed: 3, count: 30_000)
        for name in ["/a.jpg", "/b.jpg"] { origin.serve(name, file) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let first = try await installation.facefetch("add", "--wait", "--json", origin.url("/a.jpg"))
        #expect(try installation.jobs(first).first?.state == .known(.done))
        let elsewhere = installation.directory.path("elsewhere")
        try FileManager.default.moveItem(atPath: installation.documents, toPath: elsewhere)
        #expect(try await hold(installation)?.reason.contains(installation.documents) == true)
        _ = try await installation.facefetch("add", origin.url("/b.jpg"))
        #expect(await daemon.errorLine(containing: "\(installation.documents) is not there any more") != nil)
        // What can't be found now hasn't been removed by anybody.
        let url = "http://localhost/v1/jobs/1/document"
        let words = [
            "-s", "--unix-socket", installation.socket, "-o", "/dev/null", "-w", "%{http_code}", url,
        ]
        #expect(try await Program.run("/usr/bin/curl", words).output.contains("503"))
        let removal = ["-s", "-X", "DELETE"] + words.dropFirst()
        #expect(try await Program.run("/usr/bin/curl", Array(removal)).output.contains("409"))
        let looked = try await installation.facefetch("detect", "j1")
        #expect(looked.status == 0)
        let before = try await status(installation)
        #expect(before.jobs[.known(.done), default: 0] == 0, "\(before.jobs)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == ["a.jpg"])
        try FileManager.default.moveItem(atPath: elsewhere, toPath: installation.documents)
        #expect(await daemon.errorLine(containing: "downloads go on") != nil)
        #expect(await installation.logs("stored \"b.jpg\" at \(installation.documents)/b.jpg"))
        #expect(try await hold(installation) == nil)
        let isSame = try installation.document("b.jpg") == file.bytes
        #expect(isSame)
        #expect(await daemon.stop() == 0)
        let lines = try installation.eventLog()
        #expect(lines.filter { $0.contains("waiting") || $0.contains("removed") }.isEmpty)
    }

    @Test("Removed and made anew: what comes is stored there, and looked at there")
    func madeAnew() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        for name in ["/a.jpg", "/b.jpg"] { origin.serve(name, OriginFile(seed: 3, count: 30_000)) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        _ = try await installation.facefetch("add", "--wait", origin.url("/a.jpg"))
        try FileManager.default.removeItem(atPath: installation.documents)
        #expect(mkdir(installation.documents, 0o755) == 0)
        let added = try await installation.facefetch("add", "--wait", "--json", origin.url("/b.jpg"))
        let job = try #require(try installation.jobs(added).first)
        #expect(job.state == .known(.done) && job.path == installation.documents + "/b.jpg")
        #expect(access(installation.documents + "/b.jpg", R_OK) == 0)
        #expect(await daemon.errorLine(containing: "is another one than before") != nil)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "Mounted over: what comes is stored where its path leads",
        .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment))
    )
    func mountedOver() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        for name in ["/a.jpg", "/b.jpg", "/c.jpg"] { origin.serve(name, OriginFile(seed: 3, count: 30_000)) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DISK_RESERVE": "0"])
        _ = try await installation.facefetch("add", "--wait", origin.url("/a.jpg"))
        #expect(mount("tmpfs", installation.documents, "tmpfs", 0, "size=16m") == 0)
        defer { umount2(installation.documents, Int32(MNT_DETACH)) }
        _ = try await installation.facefetch("add", "--wait", origin.url("/b.jpg"))
        #expect(access(installation.documents + "/b.jpg", R_OK) == 0)
        #expect(access(installation.documents + "/a.jpg", F_OK) != 0)
        #expect(umount2(installation.documents, Int32(MNT_DETACH)) == 0)
        _ = try await installation.facefetch("add", "--wait", origin.url("/c.jpg"))
        #expect(access(installation.documents + "/c.jpg", R_OK) == 0)
        #expect(access(installation.documents + "/a.jpg", R_OK) == 0)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "Mounted over while a file comes into it: that stops, begins anew where the path leads, and no try counts",
        .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment))
    )
    func mountedOverMeanwhile() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let gate = OriginGate()
        defer { gate.open() }
        let file = OriginFile(seed: 3, count: 6_000_000)
        origin.serve("/a.jpg") { [weak origin] request in
            let answer = file.answer(to: request)
            return (origin?.requests("/a.jpg").count ?? 0) > 1
                ? answer : answer.paced(bytesPerSecond: 400_000).held(beforeByte: 2_000_000, by: gate)
        }
        let installation = try Installation()
        // The first of them is another disk than the state is on, and has the partials.
        #expect(mkdir(installation.documents, 0o755) == 0)
        #expect(mount("tmpfs", installation.documents, "tmpfs", 0, "size=64m") == 0)
        defer { umount2(installation.documents, Int32(MNT_DETACH)) }
        let daemon = try await installation.startDaemon(environment: [
            "FACEFETCH_DISK_RESERVE": "0", "FACEFETCH_TRANSFER_SEGMENTS": "1",
        ])
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        await gate.reached()
        #expect(mount("tmpfs", installation.documents, "tmpfs", 0, "size=64m") == 0)
        defer { umount2(installation.documents, Int32(MNT_DETACH)) }
        // Whoever asks has it looked.
        _ = try await status(installation)
        gate.open()
        #expect(await installation.logs("stored \"a.jpg\" at \(installation.documents)/a.jpg"))
        let isSame = try installation.document("a.jpg") == file.bytes
        #expect(isSame)
        #expect(try installation.eventLog().filter { $0.contains("wait") }.isEmpty)
        #expect(origin.requests("/a.jpg").count == 2)
        #expect(await daemon.stop() == 0)
    }

    @Test("Replaced by a link: nothing is stored behind it")
    func link() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        for name in ["/a.jpg", "/b.jpg"] { origin.serve(name, OriginFile(seed: 3, count: 30_000)) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        _ = try await installation.facefetch("add", "--wait", origin.url("/a.jpg"))
        let (kept, trap) = (installation.directory.path("kept"), try installation.directory.directory("trap"))
        try FileManager.default.moveItem(atPath: installation.documents, toPath: kept)
        #expect(symlink(trap, installation.documents) == 0)
        _ = try await installation.facefetch("add", origin.url("/b.jpg"))
        #expect(await daemon.errorLine(containing: "was replaced by a link") != nil)
        #expect(try await hold(installation)?.reason.contains("link") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: trap).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept) == ["a.jpg"])
        #expect(unlink(installation.documents) == 0)
        try FileManager.default.moveItem(atPath: kept, toPath: installation.documents)
        #expect(await installation.logs("stored \"b.jpg\" at \(installation.documents)/b.jpg"))
        #expect(await daemon.stop() == 0)
    }
}
