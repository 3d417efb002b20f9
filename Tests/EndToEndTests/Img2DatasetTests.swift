import Foundation
import PaintedPictures
import TestSupport
import TestTraits
import Testing

/// Exports for img2dataset, read and blurred by that.
@Suite(.ownThread) struct Img2DatasetTests {
    private static let python = Repository.path(".build/readers/bin/python")
    private static let isThere = (try? Shell.run([python, "-c", "import cv2"])) != nil

    @Test(
        "img2dataset blurs the faces of pictures in every orientation, and not what lies elsewhere",
        .enabled(if: isThere, "needs what scripts/install-readers installs"),
        .timeLimit(.minutes(5))
    )
    func blurred() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let painted = PaintedPicture(
            width: 700,
            height: 480,
            faces: [PaintedFace(x: 60, y: 90, side: 110), PaintedFace(x: 300, y: 140, side: 170)],
            seed: 5
        )
        var list: [String] = []
        for orientation in Orientation.allCases {
            let png = try painted.png(orientation: orientation)
            for (name, bytes) in [
                ("jpeg", try painted.jpeg(orientation: orientation)),
                ("png", PNGChunks.withExif(orientation: orientation, png)),
                ("webp", try painted.webp(orientation: orientation)),
                ("tiff", try painted.tiff(orientation: orientation)),
            ] {
                let path = "/\(name)-\(orientation.rawValue).\(name)"
                origin.serve(path, OriginFile(bytes))
                list.append(origin.url(path))
            }
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let urls = try installation.directory.write(Array(list.joined(separator: "\n").utf8), to: "urls")
        #expect(try await installation.facefetch("add", "--wait", "--from", urls).status == 0)
        let jobs = try installation.jobs(try await installation.facefetch("list", "--json"))
        let folder = try installation.directory.directory("pictures")
        for job in jobs {
            let path = try #require(job.path)
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/" + job.name,
                withDestinationPath: path
            )
        }
        let out = folder + "/list.jsonl"
        let export = try await installation.facefetch("export", "--format", "img2dataset", "--out", out)
        #expect(export.status == 0 && export.errors.isEmpty, "\(export)")
        let boxes = painted.faces.map { [$0.x, $0.y, $0.side, $0.side] }
        let script = Repository.path("scripts/readers/blurred.py")
        let result = try Shell.run([Self.python, script, out, folder, "\(boxes)"])
        let found = try JSONDecoder().decode([String: [Double]].self, from: Data(result.output.utf8))
        #expect(found.count == 32)
        for (name, shares) in found {
            #expect(shares[0] > 0.85 && shares[1] < 0.35, "\(name): \(shares)")
        }
        // Who says what they want gets that.
        let upright = try await installation.facefetch(
            "export",
            "--format",
            "img2dataset",
            "--coordinates",
            "upright",
            "--out",
            out
        )
        #expect(upright.status == 0)
        let text = try String(contentsOfFile: out, encoding: .utf8)
        #expect(text.split(separator: "\n").allSatisfy { $0.contains(#""coordinates":"upright""#) })
        #expect(await daemon.stop() == 0)
    }
}
