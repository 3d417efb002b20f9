import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import TestTraits
import Testing

/// Exports that are folders of pictures, read back by what their users read them with.
@Suite("Folders of pictures, read back", .ownThread) struct FolderExportTests {
    private static let python = Repository.path(".build/readers/bin/python")
    private static let areThere =
        (try? Shell.run([python, "-c", "import globox, bagit, datasets, cv2"])) != nil

    /// A picture as a reader has it.
    private struct Found: Decodable {
        var size: [Int]
        var boxes: [[Double]]?
        var likeness: Double?
    }

    private struct Bag: Decodable {
        var valid: Bool
        var said: [String]
        var files: [String: String]
        var software: String?
    }

    private struct All: Decodable {
        var yolo: [String: Found]
        var voc: [String: Found]
        var imagefolder: [String: Found]
        var bag: Bag
    }

    @Test(
        "Copies are upright in their pixels, boxes are where faces are, and the bag is valid",
        .enabled(if: areThere, "needs what scripts/install-readers installs"),
        .timeLimit(.minutes(5))
    )
    func readBack() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(
            environment: ["FACEFETCH_DOCUMENTS_LAYOUT": "x/{sha2}"]
        )
        let list = try Self.serve(origin)
        let urls = try installation.directory.write(Array(list.joined(separator: "\n").utf8), to: "urls")
        #expect(try await installation.facefetch("add", "--wait", "--from", urls).status == 0)
        let jobs = try installation.jobs(try await installation.facefetch("list", "--json"))
        #expect(jobs.count == 32)
        let folder = try installation.directory.directory("back")
        for (format, out, more) in [
            ("yolo", "yolo", ["--copy"]), ("voc", "voc", ["--copy"]), ("imagefolder", "imagefolder", []),
            ("bagit", "bag", []),
        ] {
            let export = try await Program.run(
                "facefetch",
                ["export", "--format", format, "--out", folder + "/" + out] + more,
                environment: ["FACEFETCH_SOCKET": installation.socket]
            )
            #expect(export.status == 0 && export.errors.isEmpty, "\(export)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4)
        let script = Repository.path("scripts/readers/folders_back.py")
        let result = try Shell.run([Self.python, script, folder, installation.documents])
        let line = try #require(result.output.split(separator: "\n").last, "\(result)")
        let all = try JSONDecoder().decode(All.self, from: Data(line.utf8))
        for (reader, found) in [("yolo", all.yolo), ("voc", all.voc), ("imagefolder", all.imagefolder)] {
            #expect(found.count == 32, "\(reader): \(found.keys.sorted())")
            for job in jobs {
                let stem = String(job.name[..<(job.name.lastIndex(of: ".") ?? job.name.endIndex)])
                try Self.compare(try #require(found[stem], "\(reader): \(stem)"), job, "\(reader): \(stem)")
            }
        }
        #expect(all.bag.valid && all.bag.said.isEmpty, "\(all.bag)")
        #expect(all.bag.software?.hasPrefix("facefetch ") == true)
        let sums = jobs.map { ["data/\($0.folder ?? "")/\($0.name)", $0.sha256 ?? ""] }
        #expect(Set(sums) == Set(all.bag.files.map { [$0.key, $0.value] }))
        #expect(await daemon.stop() == 0)
    }

    /// Serves a painted picture in all orientations of four formats; the URLs.
    private static func serve(_ origin: Origin) throws -> [String] {
        let painted = PaintedPicture(
            width: 700,
            height: 480,
            faces: [PaintedFace(x: 60, y: 90, side: 110), PaintedFace(x: 300, y: 140, side: 170)],
            seed: 5
        )
        return try Orientation.allCases.flatMap { orientation in
            let png = try painted.png(orientation: orientation)
            return [
                ("jpg", try painted.jpeg(orientation: orientation)),
                ("png", PNGChunks.withExif(orientation: orientation, png)),
                ("tif", try painted.tiff(orientation: orientation)),
                ("heic", try painted.heic(orientation: orientation)),
            ].map { name, bytes in
                let path = "/test-\(name)-\(orientation.rawValue).\(name)"
                origin.serve(path, OriginFile(bytes))
                return origin.url(path)
            }
        }
    }

    private static func compare(_ picture: Found, _ job: JobJSON, _ reader: String) throws {
        let seen = try #require(job.detection)
        #expect(picture.size == [seen.width, seen.height].compactMap(\.self), "\(reader)")
        #expect(picture.size == [700, 480], "\(reader)")
        let wanted = seen.faces.map { [$0.x, $0.y, $0.width, $0.height].map(Double.init) }
        let boxes = picture.boxes ?? []
        let isNear =
            boxes.count == wanted.count
            && zip(boxes, wanted).allSatisfy { zip($0, $1).allSatisfy { abs($0 - $1) < 1 } }
        #expect(isNear && !boxes.isEmpty, "\(reader): \(wanted) is \(boxes)")
        // Nothing but facefetch reads HEIC here.
        if !job.name.hasSuffix("heic") { #expect((picture.likeness ?? 255) < 8, "\(reader): \(picture)") }
    }
}
