import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import TestTraits
import Testing

/// Exports of HEIC pictures, which the format itself turns, read back by what their users read them with.
@Suite(.ownThread) struct HEICExportTests {
    private static let python = Repository.path(".build/readers/bin/python")
    private static let areThere =
        ["exiftool", "exiv2"].allSatisfy { Shell.find($0) != nil } && PostReceiver.canVerify

    /// A picture as a reader found it.
    private struct Found: Decodable {
        /// Nil where the format has no size, but parts of it.
        var size: [Double]?
        var boxes: [[Double]]
    }

    @Test(
        "The faces of a HEIC picture are the same within a pixel, for all eight orientations",
        .enabled(if: areThere, "needs exiftool, exiv2 and what scripts/install-readers installs"),
        .timeLimit(.minutes(3))
    )
    func readBack() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let painted = PaintedPicture(faces: 2, seed: 4)
        for orientation in Orientation.allCases {
            let picture = try painted.heic(orientation: orientation)
            origin.serve("/\(orientation.rawValue).heic", OriginFile(picture))
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let list = Orientation.allCases.map { origin.url("/\($0.rawValue).heic") }.joined(separator: "\n")
        let urls = try installation.directory.write(Array(list.utf8), to: "urls")
        #expect(try await installation.facefetch("add", "--wait", "--from", urls).status == 0)
        let jobs = try installation.jobs(try await installation.facefetch("list", "--json"))
        #expect(jobs.count == 8)

        let folder = try installation.directory.directory("back")
        for (format, out) in Self.formats {
            let export = try await installation.facefetch(
                "export",
                "--format",
                format,
                "--coordinates",
                "stored",
                "--out",
                folder + "/" + out
            )
            #expect(export.status == 0 && export.errors.isEmpty, "\(export)")
        }
        try Self.blankPictures(of: jobs, in: folder + "/yolo/images")
        let result = try Shell.run([Self.python, Repository.path("scripts/readers/read_back.py"), folder])
        let line = try #require(result.output.split(separator: "\n").last, "\(result)")
        let all = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(all?["said"] as? [String] == [])
        for reader in [
            "coco", "duckdb_csv", "duckdb_jsonl", "pandas_csv", "pandas_jsonl", "yolo", "label_studio",
            "img2dataset", "webdataset",
            "exiftool-mwg", "exiftool-mp", "exiftool-iptc", "exiv2", "exempi",
        ] {
            let found = try JSONDecoder().decode(
                [String: Found].self,
                from: JSONSerialization.data(withJSONObject: all?[reader] ?? [:])
            )
            for job in jobs {
                let name =
                    reader == "yolo"
                    ? "\(job.name.prefix(1)).jpg" : job.name + (reader.hasPrefix("ex") ? ".xmp" : "")
                try Self.compare(try #require(found[name], "\(reader): \(name)"), job, "\(reader): \(name)")
            }
        }
        #expect(await daemon.stop() == 0)
    }

    private static let formats = [
        ("coco", "coco.json"), ("csv", "jobs.csv"), ("jsonl", "jobs.jsonl"), ("yolo", "yolo"),
        ("label-studio", "label-studio.json"), ("img2dataset", "img2dataset.jsonl"), ("webdataset", "shards"),
        ("xmp", "sidecars"),
    ]

    /// Puts pictures of the same sizes in the place of HEIC, which the readers of YOLO's folders can't open.
    private static func blankPictures(of jobs: [JobJSON], in folder: String) throws {
        for job in jobs {
            let orientation = try #require(Orientation(rawValue: Int(job.name.prefix(1)) ?? 0))
            let (width, height) = try stored(try #require(job.detection), orientation)
            let blank =
                Array("P6 \(width) \(height) 255\n".utf8) + [UInt8](repeating: 255, count: width * height * 3)
            try FileManager.default.removeItem(atPath: folder + "/" + job.name)
            // The extension is one that they look for; PPM (netpbm) is known by its beginning.
            let path = folder + "/\(orientation.rawValue).jpg"
            #expect(FileManager.default.createFile(atPath: path, contents: Data(blank)))
        }
    }

    private static func stored(
        _ seen: DetectionJSON,
        _ orientation: Orientation
    ) throws -> (width: Int, height: Int) {
        let (width, height) = (try #require(seen.width), try #require(seen.height))
        return orientation.isLying ? (height, width) : (width, height)
    }

    /// Turns what was found upright, as whoever shows the picture does.
    private static func compare(_ found: Found, _ job: JobJSON, _ reader: String) throws {
        let orientation = try #require(Orientation(rawValue: Int(job.name.prefix(1)) ?? 0))
        let seen = try #require(job.detection)
        let (width, height) = try stored(seen, orientation)
        if let size = found.size { #expect(size.map { Int($0) } == [width, height], "\(reader)") }
        let scale = found.size == nil ? [width, height, width, height].map(Double.init) : [1, 1, 1, 1]
        #expect(seen.faces.count == 2 && found.boxes.count == 2, "\(reader)")
        for (face, parts) in zip(seen.faces, found.boxes) {
            let box = zip(parts, scale).map { $0 * $1 }
            let corners = [(box[0], box[1]), (box[0] + box[2] - 1, box[1] + box[3] - 1)].map {
                orientation.upright(
                    x: Int($0.0.rounded()),
                    y: Int($0.1.rounded()),
                    storedWidth: width,
                    storedHeight: height
                )
            }
            let (xs, ys) = (corners.map(\.x).sorted(), corners.map(\.y).sorted())
            let edges = [xs[0], ys[0], xs[1], ys[1]]
            let wanted = [face.x, face.y, face.x + face.width - 1, face.y + face.height - 1]
            let isNear = zip(edges, wanted).allSatisfy { abs($0 - $1) <= 1 }
            #expect(isNear, "\(reader): \(wanted) is \(edges)")
        }
    }
}
