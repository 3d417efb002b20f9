import Foundation
import PaintedPictures
import TestSupport
import Testing

/// From URLs to face counts, with the real daemon, client and detectors.
struct MainJobTests {
    @Test("Painted pictures are downloaded, published and counted, and the log tells it all")
    func wholeWay() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let pictures = (0...2).map { PaintedPicture(faces: $0, seed: UInt64($0 + 1)) }
        let files = try pictures.map { try $0.jpeg() }
        for (index, file) in files.enumerated() {
            origin.serve("/Fl%C3%A9malle_(\(index)).jpg", OriginFile(file))
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let urls = (0...2).map { origin.url("/Flémalle_(\($0)).jpg") }

        let added = try await installation.facefetch("add", "--wait", "--json", urls[0], urls[1], urls[2])
        #expect(added.status == 0, "\(added.errors)")
        let jobs = try installation.jobs(added)
        #expect(jobs.map(\.detection?.faceCount) == [0, 1, 2])
        for (index, job) in jobs.enumerated() {
            #expect(job.state == "done")
            #expect(job.name == "Flémalle_(\(index)).jpg")
            #expect(job.path == installation.documents + "/" + job.name)
            #expect(try installation.document(job.name) == files[index])
            for painted in pictures[index].faces {
                #expect(job.detection?.faces.contains { overlap($0, painted) > 0.3 } == true)
            }
        }
        #expect(await daemon.stop() == 0)

        let name = "\"Flémalle_(1).jpg\""
        let messages = try installation.eventLog().filter { $0.contains(" b1 j2 ") }
            .map { $0.split(separator: " ", maxSplits: 4).map(String.init)[4] }
        let url = jobs[1].url
        let partial = installation.partials + "/2.part"
        var expected = ["started download of \(url)"]
        expected += (1...10).map { "downloading \(name), \($0 * 10)% done" }
        expected += [
            "finished download of \(url) to \(partial)",
            "stored \(name) at \(installation.documents)/Flémalle_(1).jpg",
            "started face detection in \(name)", "finished face detection in \(name): 1 face",
        ]
        #expect(messages == expected)
    }

    @Test("A second file of one name gets a number, and the first is not touched")
    func sameName() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/one/a.jpg", OriginFile(seed: 1, count: 2000))
        origin.serve("/two/a.jpg", OriginFile(seed: 2, count: 3000))
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        _ = try await installation.facefetch("add", "--wait", origin.url("/one/a.jpg"))
        let second = try await installation.facefetch("add", "--wait", "--json", origin.url("/two/a.jpg"))
        #expect(try installation.jobs(second).map(\.name) == ["a (2).jpg"])
        #expect(try installation.document("a.jpg") == OriginContent.bytes(seed: 1, count: 2000))
        #expect(try installation.document("a (2).jpg") == OriginContent.bytes(seed: 2, count: 3000))
        #expect(await daemon.stop() == 0)
    }

    @Test("What is no picture is kept, and its detection says unreadable")
    func unreadable() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/noise.jpg", OriginFile(seed: 9, count: 50_000))
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let added = try await installation.facefetch("add", "--wait", "--json", origin.url("/noise.jpg"))
        let job = try #require(try installation.jobs(added).first)
        #expect(job.state == "done")
        #expect(job.detection?.outcome == "unreadable")
        #expect(try installation.document("noise.jpg") == OriginContent.bytes(seed: 9, count: 50_000))
        #expect(await daemon.stop() == 0)
        #expect(
            try installation.eventLog().contains {
                $0.contains("failed face detection in \"noise.jpg\": unreadable, is not a JPEG")
            }
        )
    }

    @Test("A file that isn't there fails with the server's status and the URL")
    func notFound() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let url = origin.url("/missing.jpg")
        let added = try await installation.facefetch("add", "--wait", "--json", url)
        #expect(added.status == 1)
        let job = try #require(try installation.jobs(added).first)
        #expect(job.state == "failed")
        #expect(job.error?.code == "http_404")
        #expect(job.url == url)
        #expect(await daemon.stop() == 0)
        let line = try #require(try installation.eventLog().last)
        #expect(line.hasSuffix("failed download of \(url): http_404, the server answered 404 Not Found"))
    }

    @Test("Only the detector is linked with OpenCV and libvips")
    func linkage() async throws {
        let daemon = try await Program.run("/usr/bin/ldd", [Program.directory + "/facefetchd"])
        #expect(daemon.output.contains("libcurl"))
        #expect(!daemon.output.contains("opencv") && !daemon.output.contains("vips"))
        let detector = try await Program.run("/usr/bin/ldd", [Program.directory + "/facefetch-detector"])
        #expect(detector.output.contains("libopencv_core") && detector.output.contains("libvips"))
    }
}
