import ControlAPI
import Foundation
import Glibc
import PaintedPictures
import TestSupport
import Testing

/// What documents tell of where they came from: their server, their time, their extension.
@Suite(.timeLimit(.minutes(2)))
struct ProvenanceTests {
    private static let modified = "Thu, 29 Feb 2024 12:00:00 GMT"
    private static let seconds = 1_709_208_000

    private func time(of path: String) throws -> Int {
        var status = stat()
        try #require(stat(path, &status) == 0, "\(path)")
        return status.st_mtim.tv_sec
    }

    @Test("A document has its server's time, its content's extension, and says where it came from")
    func told() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let jpeg = try PaintedPicture(faces: 1, seed: 1).jpeg()
        origin.serve("/photo.php", OriginFile(jpeg, lastModified: Self.modified))
        origin.serve("/moved") { _ in .redirect("/photo.php") }
        // A large one goes through its partial, and one that broke off goes on.
        let large = OriginFile(jpeg + Array(repeating: 7, count: 3 << 20), lastModified: Self.modified)
        origin.serve("/large.png", large)
        origin.serve("/future.jpg", OriginFile(jpeg, lastModified: "Thu, 01 Jan 2099 00:00:00 GMT"))
        origin.serve("/given", OriginFile(jpeg))
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        for path in ["/moved", "/large.png", "/future.jpg"] {
            #expect(try await installation.facefetch("add", "--wait", origin.url(path)).status == 0)
        }
        let named = try await installation.facefetch("add", "--wait", "--name", "a.png", origin.url("/given"))
        #expect(named.status == 0, "\(named.errors)")
        let jobs = try installation.jobs(try await installation.facefetch("list", "--json"))
        #expect(jobs.map(\.name) == ["moved.jpg", "large.jpg", "future.jpg", "a.png"])
        for name in ["moved.jpg", "large.jpg"] {
            #expect(try time(of: installation.documents + "/" + name) == Self.seconds)
        }
        let now = Int(Date().timeIntervalSince1970)
        for name in ["future.jpg", "a.png"] {
            #expect(abs(try time(of: installation.documents + "/" + name) - now) < 120)
        }
        let response = try #require(jobs.first?.response)
        #expect(response.finalURL == origin.url("/photo.php") && response.status == 200)
        #expect(response.contentType == "image/jpeg" && response.etag == "\"v1\"")
        #expect(response.lastModified == "2024-02-29T12:00:00.000Z")
        #expect(jobs.last?.response?.finalURL == origin.url("/given"))
        let page = try await installation.facefetch("show", "j1").output
        #expect(page.contains("Came from  \(origin.url("/photo.php"))"), "\(page)")
        #expect(page.contains("Answer     200, image/jpeg, last changed on 2024-02-29"), "\(page)")
        let rows = try await installation.facefetch("export", "--format", "csv", "--out", "-").output
            .split(whereSeparator: \.isNewline)
        #expect(
            rows.first?.hasSuffix(",final_url,last_modified,content_type,etag,fingerprint,turned") == true
        )
        let row = try #require(rows.first { $0.hasPrefix("1,") })
        let fingerprint = try #require(jobs.first?.detection?.fingerprint)
        #expect(
            row.hasSuffix(
                ",\(origin.url("/photo.php")),2024-02-29T12:00:00.000Z,image/jpeg,\"\"\"v1\"\"\","
                    + "\(fingerprint),"
            ),
            "\(row)"
        )
        // It is found again by its mark, and removed.
        #expect(try await installation.facefetch("detect", "j1", "j2").status == 0)
        #expect(await daemon.stop() == 0)
    }

    @Test("With other settings, a document has the time of its arrival, and the name that it came with")
    func settings() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let jpeg = try PaintedPicture(faces: 1, seed: 1).jpeg()
        origin.serve("/photo.php", OriginFile(jpeg, lastModified: Self.modified))
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: [
            "FACEFETCH_DOCUMENTS_TIMES": "arrival", "FACEFETCH_DOCUMENTS_EXTENSIONS": "keep",
        ])
        #expect(try await installation.facefetch("add", "--wait", origin.url("/photo.php")).status == 0)
        let now = Int(Date().timeIntervalSince1970)
        #expect(abs(try time(of: installation.documents + "/photo.php") - now) < 120)
        #expect(await daemon.stop() == 0)
    }
}
