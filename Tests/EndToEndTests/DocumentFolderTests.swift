import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import Testing

/// Documents in folders, under the real daemon.
@Suite("Folders for documents", .timeLimit(.minutes(3)))
struct DocumentFolderTests {
    private static func exists(_ path: String, _ installation: Installation) -> Bool {
        FileManager.default.fileExists(atPath: installation.documents + "/" + path)
    }

    @Test("add --into puts documents into a folder, over a restart, and says where they are")
    func into() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        for name in ["a", "b"] { origin.serve("/\(name).jpg", OriginFile(seed: 1, count: 5000)) }
        origin.serve("/deep/a.jpg", OriginFile(seed: 2, count: 9000))
        let installation = try Installation()
        let environment = ["FACEFETCH_DETECTION_WHEN": "never"]
        let daemon = try await installation.startDaemon(environment: environment)
        for url in ["/a.jpg", "/deep/a.jpg"] {
            let added = try await installation.facefetch(
                "add",
                "--wait",
                "--into",
                "holiday/2026/",
                origin.url(url)
            )
            #expect(added.status == 0, "\(added.errors)")
        }
        #expect(try installation.document("holiday/2026/a.jpg").count == 5000)
        #expect(try installation.document("holiday/2026/a (2).jpg").count == 9000)
        for folder in ["/etc", "../x", "a/../b", "1/2/3/4/5/6/7/8/9", ".facefetch-partial"] {
            let refused = try await installation.facefetch("add", "--into", folder, origin.url("/b.jpg"))
            #expect(refused.status == 2, "\(refused)")
        }
        #expect(await daemon.stop() == 0)
        let next = try await installation.startDaemon(environment: environment)
        let jobs = try await installation.allJobs()
        #expect(jobs.map(\.folder) == ["holiday/2026", "holiday/2026"])
        #expect(jobs.map(\.name) == ["a.jpg", "a (2).jpg"])
        #expect(jobs.map(\.path) == jobs.map { "\(installation.documents)/holiday/2026/\($0.name)" })
        let document = try await HTTPClient.send("GET", "/v1/jobs/2/document", to: installation.socket)
        #expect(document.status == 200 && document.body.count == 9000)
        // The last one takes its folders along.
        for job in jobs {
            let removed = try await HTTPClient.send(
                "DELETE",
                "/v1/jobs/\(job.id)/document",
                to: installation.socket
            )
            #expect(removed.status == 200, "\(removed.text)")
        }
        #expect(!Self.exists("holiday", installation))
        // Fetched again, it is where it was asked for.
        #expect(try await installation.facefetch("retry", "1").status == 0)
        #expect(await installation.directory.appears("documents/holiday/2026/a.jpg"))
        #expect(await next.stop() == 0)
    }

    @Test("documents.layout makes folders, with the SHA-256 in them; sidecars and exports go by them")
    func layout() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let picture = try PaintedPicture(faces: 1, seed: 4).jpeg()
        origin.serve("/a.jpg", OriginFile(picture))
        let large = OriginFile(seed: 3, count: 12 << 20)
        origin.serve("/large.jpg", large)
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: [
            "FACEFETCH_DOCUMENTS_LAYOUT": "{host}/{sha2}", "FACEFETCH_DOCUMENTS_SIDECAR": "xmp",
        ])
        #expect(await installation.directory.appears("state/sidecars"))
        for name in ["a.jpg", "large.jpg"] {
            let added = try await installation.facefetch("add", "--wait", origin.url("/" + name))
            #expect(added.status == 0, "\(added)")
        }
        for job in try await installation.allJobs() {
            let digits = try #require(job.sha256?.prefix(2))
            #expect(job.folder == "127.0.0.1/\(digits)")
            #expect(Self.exists("127.0.0.1/\(digits)/\(job.name)", installation))
        }
        let job = try #require(try await installation.allJobs().first)
        let place = "\(job.folder ?? "")/a.jpg"
        #expect(job.detection?.faceCount == 1)
        #expect(await installation.directory.appears("documents/\(place).xmp"))
        let out = installation.directory.path("faces.json")
        let export = try await installation.facefetch("export", "--format", "coco", "--out", out)
        let text = String(decoding: try installation.directory.read("faces.json"), as: UTF8.self)
        #expect(export.status == 0 && text.contains("\"file_name\":\"\(place)\""), "\(text)")
        // Elsewhere, sidecars lie in the same folders, since names are unique only within one.
        let sidecars = installation.directory.path("sidecars")
        let xmp = try await installation.facefetch("export", "--format", "xmp", "--out", sidecars)
        #expect(xmp.status == 0, "\(xmp)")
        #expect(FileManager.default.fileExists(atPath: "\(sidecars)/\(place).xmp"))
        #expect(await daemon.stop() == 0)
    }

    @Test("A file in a folder's place fails the job with a code; a retry goes on once it is away")
    func inTheWay() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(seed: 1, count: 5000))
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DETECTION_WHEN": "never"])
        try installation.directory.write([9], to: "documents/x")
        let added = try await installation.facefetch(
            "add",
            "--wait",
            "--json",
            "--into",
            "x/y",
            origin.url("/a.jpg")
        )
        #expect(try installation.jobs(added).first?.error?.code == "bad_folder", "\(added)")
        let shown = try await installation.facefetch("show", "1")
        #expect(shown.output.contains("x/y") && shown.output.contains("move that away"), "\(shown.output)")
        #expect(try installation.document("x") == [9])
        try FileManager.default.removeItem(atPath: installation.documents + "/x")
        #expect(try await installation.facefetch("retry", "1").status == 0)
        #expect(await installation.directory.appears("documents/x/y/a.jpg"))
        #expect(await daemon.stop() == 0)
    }

    @Test("What makes room takes its empty folder along; a recipe's folder goes before the layout")
    func eviction() async throws {
        let list = try ListOrigin(count: 3)
        defer { list.origin.stop() }
        let installation = try Installation()
        let sizes = (1...3).map { 10_000 + $0 }
        for (number, size) in zip(1..., sizes) {
            list.origin.serve("/picture/\(number).jpg", OriginFile(seed: UInt64(number), count: size))
        }
        let daemon = try await installation.startDaemon(environment: [
            "FACEFETCH_DOCUMENTS_LAYOUT": "{source}/{batch}",
            "FACEFETCH_DOCUMENTS_MAXIMUM_SIZE": "\(sizes.reduce(0, +))",
        ])
        let recipe = list.recipe(more: "keep: evictable")
            .replacing("job: {", with: #"job: {folder: "\"of \\(.id)/all\"", "#, maxReplacements: 1)
        #expect(try await installation.addSource(recipe).status == 0)
        let begun = ContinuousClock.now
        var jobs: [JobJSON] = []
        while ContinuousClock.now - begun < .seconds(300) {
            jobs = try await installation.allJobs()
            let isDone = jobs.count == 3 && jobs.allSatisfy { $0.state == .known(.done) }
            if isDone, jobs.contains(where: { $0.path == nil }) { break }
        }
        let gone = try #require(jobs.first { $0.path == nil }, "\(jobs)")
        for job in jobs {
            let folder = try #require(job.folder)
            #expect(folder.hasPrefix("of ") && folder.hasSuffix("/all"))
            #expect(
                Self.exists(folder.split(separator: "/").first.map(String.init) ?? "", installation)
                    == (job.path != nil)
            )
        }
        #expect(gone.folder != nil)
        #expect(await daemon.stop() == 0)
    }
}
