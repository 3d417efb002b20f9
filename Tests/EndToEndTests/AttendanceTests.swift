import Glibc
import PaintedPictures
import TestSupport
import Testing

/// The counterpart of an app in the foreground: detection while somebody follows.
struct AttendanceTests {
    @Test("With detection.when attended, documents wait until somebody follows the events")
    func attended() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 1, seed: 3).jpeg()))
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: ["FACEFETCH_DETECTION_WHEN": "attended"])
        #expect(try await installation.facefetch("add", origin.url("/a.jpg")).status == 0)
        #expect(await daemon.errorLine(containing: "deferred face detection in \"a.jpg\"") != nil)
        let follower = try installation.follow()
        #expect(await follower.outputLine(containing: "finished face detection in \"a.jpg\": 1 face") != nil)
        follower.signal(SIGKILL)
        #expect(await daemon.stop() == 0)
    }

    @Test("A held gate keeps documents, across a restart, until it is released")
    func held() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(try PaintedPicture(faces: 1, seed: 3).jpeg()))
        let installation = try Installation()
        let first = try await installation.startDaemon()
        #expect(try await installation.facefetch("detection", "hold").status == 0)
        #expect(try await installation.facefetch("add", origin.url("/a.jpg")).status == 0)
        #expect(await first.errorLine(containing: "deferred face detection in \"a.jpg\"") != nil)
        #expect(await first.stop() == 0)
        let second = try await installation.startDaemon()
        #expect(try await installation.facefetch("status").output.contains("held"))
        #expect(try await installation.facefetch("detection", "release").status == 0)
        #expect(await second.errorLine(containing: "finished face detection in \"a.jpg\": 1 face") != nil)
        #expect(await second.stop() == 0)
        let deferred = try installation.eventLog().filter { $0.contains("deferred") }
        #expect(deferred.count == 1)
    }

    @Test("Programs of one build say the same version")
    func versions() async throws {
        let client = try await Program.run("facefetch", ["--version"])
        let daemon = try await Program.run("facefetchd", ["--version"])
        #expect(client.output.split(separator: " ").last == daemon.output.split(separator: " ").last)
    }
}
