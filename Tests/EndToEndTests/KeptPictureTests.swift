import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import Testing

/// Thumbnails as the daemon makes and keeps them.
@Suite(.timeLimit(.minutes(2))) struct KeptPictureTests {
    private func kept(_ installation: Installation) -> [String] {
        (FileManager.default.subpaths(atPath: installation.cache) ?? []).filter { $0.hasSuffix(".jpg") }
    }

    /// Returns whether the daemon has a process that makes pictures for who asks.
    private func makesPictures(_ daemon: Program) -> Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { process in
            guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let command = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8),
                let end = status.lastIndex(of: ")")
            else { return false }
            let parent = status[end...].split(separator: " ").dropFirst(2).first.flatMap { Int32($0) }
            return parent == daemon.id && command.contains("--serve-pictures")
        }
    }

    private func job(_ job: Int, _ installation: Installation) async throws -> JobJSON {
        try await HTTPClient.send("GET", "/v1/jobs/\(job)", to: installation.socket).decoded(as: JobJSON.self)
    }

    private func thumbnail(_ job: Int, _ installation: Installation) async throws -> HTTPClient.Response {
        try await HTTPClient.send("GET", "/v1/jobs/\(job)/picture/thumb", to: installation.socket)
    }

    @Test(
        "The pass that finds faces leaves a thumbnail, which is there without another process, and after a restart"
    )
    func inPassing() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 3).jpeg()))
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        #expect(try await installation.facefetch("add", "--wait", origin.url("/a.jpg")).status == 0)
        try await waitWhile { kept(installation).isEmpty }
        let made = try await thumbnail(1, installation)
        #expect(made.status == 200 && made.body.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(!makesPictures(daemon))
        let file = try #require(kept(installation).first)
        let sha256 = try #require(try await job(1, installation).sha256)
        #expect(file.hasSuffix("\(sha256)-thumb.jpg"))
        #expect(await daemon.stop() == 0)

        let restarted = try await installation.startDaemon()
        #expect(try await thumbnail(1, installation).body == made.body)
        #expect(!makesPictures(restarted))
        #expect(await restarted.stop() == 0)

        // Without what was kept, it is made anew.
        try FileManager.default.removeItem(atPath: installation.cache)
        let third = try await installation.startDaemon()
        #expect(try await thumbnail(1, installation).status == 200)
        #expect(makesPictures(third))
        #expect(await third.stop() == 0)
    }

    @Test("With the last job that has a document's bytes, its thumbnail is forgotten")
    func forgotten() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let same = try PaintedPicture(faces: 2).jpeg()
        for path in ["/a.jpg", "/b.jpg", "/later.jpg"] { origin.serve(path, OriginFile(same)) }
        origin.serve("/other.jpg", OriginFile(try PaintedPicture(faces: 1).jpeg()))
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let added = try await installation.facefetch(
            "add",
            "--wait",
            origin.url("/a.jpg"),
            origin.url("/b.jpg"),
            origin.url("/other.jpg")
        )
        #expect(added.status == 0)
        try await waitWhile { kept(installation).count < 2 }
        let sha256 = try #require(try await job(3, installation).sha256)
        #expect(try await installation.facefetch("forget", "j1").status == 0)
        #expect(try await installation.facefetch("detection", "hold").status == 0)
        #expect(try await installation.facefetch("add", origin.url("/later.jpg")).status == 0)
        try await waitWhile { try await job(4, installation).state != .stored }
        #expect(try await installation.facefetch("forget", "j2", "j3").status == 0)
        // All that is forgotten at once is removed at once.
        try await waitWhile { kept(installation).contains(where: { $0.contains(sha256) }) }
        #expect(kept(installation).count == 1, "one that nobody has looked at yet has the same bytes")
        #expect(try await installation.facefetch("cancel", "j4").status == 0)
        #expect(try await installation.facefetch("forget", "j4").status == 0)
        // Not even a daemon that is told to stop leaves it behind.
        #expect(await daemon.stop() == 0)
        #expect(kept(installation).isEmpty)
    }

    @Test("With gallery.cache at 0 none is made in passing, and none is kept; who asks gets one")
    func none() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 1).jpeg()))
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_GALLERY_CACHE": "0"])
        #expect(try await installation.facefetch("add", "--wait", origin.url("/a.jpg")).status == 0)
        #expect(try await thumbnail(1, installation).status == 200)
        #expect(makesPictures(daemon))
        #expect(await daemon.stop() == 0)
        #expect(kept(installation).isEmpty)
    }
}
