import ControlAPI
import Foundation
import TestSupport
import Testing

/// The real daemon on a small disk that fills.
@Suite(
    .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment)),
    .timeLimit(.minutes(2))
)
struct FullDiskTests {
    /// A daemon whose every file is on one small disk, and an origin with a file that fits.
    private struct Scene {
        static let reserve = 24 << 20

        let origin: Origin
        let disk: MemoryDisk
        let installation: Installation
        let daemon: Program
        let events: Program

        init(bytes: Int = 128 << 20) async throws {
            origin = try Origin.start()
            disk = try MemoryDisk(bytes: bytes)
            installation = try Installation(in: disk.path)
            daemon = try await installation.startDaemon(
                environment: ["FACEFETCH_DISK_RESERVE": "\(Self.reserve)"]
            )
            events = try installation.follow()
            origin.serve("/small.jpg", OriginFile(seed: 3, count: 100_000))
        }

        /// Zeros without end, and without a word on how many.
        func serveEndless(_ path: String, entityTag: String?) {
            var file = OriginFile(
                path: "/dev/zero",
                count: 1 << 40,
                entityTag: entityTag,
                lastModified: nil,
                type: "image/jpeg"
            )
            file.date = nil
            let endless = file.whole.framed(.untilClose)
            origin.serve(path) { _ in endless }
        }

        func add(_ path: String) async throws -> Int32 {
            try await installation.facefetch("add", origin.url(path)).status
        }

        func end() async {
            events.signal(SIGKILL)
            #expect(await daemon.stop() == 0)
            origin.stop()
        }
    }

    @Test("A body without end and without a length stops at the reserve, gives its room back, and others go on")
    func endlessBody() async throws {
        let scene = try await Scene()
        scene.serveEndless("/endless.jpg", entityTag: nil)
        #expect(try await scene.add("/endless.jpg") == 0)
        #expect(await scene.events.outputLine(containing: "waiting to retry \"endless.jpg\" until ") != nil)
        #expect(
            await scene.events.outputLine(containing: "restarted download of \"endless.jpg\" from zero: ") != nil
        )
        #expect(try await scene.add("/small.jpg") == 0)
        #expect(await scene.events.outputLine(containing: "stored \"small.jpg\" at ") != nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: scene.installation.partials)
        #expect(!left.contains("1.part"))
        #expect(scene.disk.freeBytes > Scene.reserve)
        let jobs = try scene.installation.jobs(try await scene.installation.facefetch("list", "--json"))
        #expect(jobs.first?.state == "waiting")
        #expect(jobs.first?.waiting?.code == "disk_full")
        #expect(try await scene.installation.facefetch("cancel", "1").status == 0)
        await scene.end()
    }

    @Test("One that could be gone on with keeps what it has within the reserve, until it is cancelled")
    func endlessResumable() async throws {
        let scene = try await Scene()
        scene.serveEndless("/endless.jpg", entityTag: "\"v1\"")
        #expect(try await scene.add("/endless.jpg") == 0)
        #expect(await scene.events.outputLine(containing: "waiting to retry \"endless.jpg\" until ") != nil)
        // A look at the disk every 4 MiB, or a quarter of the reserve, and a buffer of libcurl's.
        #expect(scene.disk.freeBytes > Scene.reserve / 2)
        #expect(try await scene.installation.facefetch("pause", "1").status == 0)
        #expect(try await scene.installation.facefetch("cancel", "1").status == 0)
        #expect(await scene.events.outputLine(containing: "cancelled \"endless.jpg\"") != nil)
        #expect(try await scene.add("/small.jpg") == 0)
        #expect(await scene.events.outputLine(containing: "stored \"small.jpg\" at ") != nil)
        #expect(scene.disk.freeBytes > 2 * Scene.reserve)
        await scene.end()
    }
}
