import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import Testing

/// Scans that lie on their side, from the setting to the table.
@Suite("Pictures on their side", .timeLimit(.minutes(3)))
struct TurnedPictureTests {
    @Test("detection.turned finds faces in them, and says so, over a restart and in exports")
    func lying() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let painted = PaintedPicture(
            width: 700,
            height: 480,
            faces: [PaintedFace(x: 60, y: 90, side: 110), PaintedFace(x: 300, y: 140, side: 170)],
            seed: 5
        )
        origin.serve("/lying.png", OriginFile(try painted.png(orientation: .needsClockwise)))
        origin.serve("/upright.png", OriginFile(try painted.png()))
        let installation = try Installation()
        let environment = ["FACEFETCH_DETECTION_TURNED": "auto"]
        let daemon = try await installation.startDaemon(environment: environment)
        for name in ["/lying.png", "/upright.png"] {
            #expect(try await installation.facefetch("add", "--wait", origin.url(name)).status == 0)
        }
        #expect(await daemon.stop() == 0)
        let next = try await installation.startDaemon(environment: environment)
        let jobs = try await installation.allJobs()
        #expect(jobs.map(\.detection?.turned) == [90, nil])
        #expect(jobs.map(\.detection?.faceCount) == [2, 2])
        #expect(jobs[0].detection?.width == 480)
        let shown = try await installation.facefetch("show", "1")
        #expect(shown.output.contains("faces seen when turned by 90°"), "\(shown)")
        let table = try await installation.facefetch("export", "--format", "csv", "--out", "-")
        let rows = table.output.components(separatedBy: "\r\n")
        #expect(rows[0].hasSuffix(",turned") && rows[1].hasSuffix(",90") && rows[2].hasSuffix(","), "\(rows)")
        let lines = try await installation.facefetch("export", "--format", "jsonl", "--out", "-")
        #expect(lines.output.contains(#""turned":90"#))
        #expect(await next.stop() == 0)
    }
}
