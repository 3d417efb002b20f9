import Foundation
import TestSupport
import TestTraits
import Testing

@testable import ExportFormats

@Suite("Exports, read back by what their users read them with")
struct ReadBackTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
        path: "../.."
    )
    .standardizedFileURL.path
    private static let python = root + "/.build/readers/bin/python"
    private static let areThere =
        ["exiftool", "exiv2"].allSatisfy { Shell.find($0) != nil }
        && FileManager.default.isExecutableFile(atPath: python)

    /// A picture as a reader found it.
    private struct Found: Decodable {
        var size: [Double]?
        var boxes: [[Double]]
    }

    /// The faces of each picture; the last has none.
    private static let faces = [
        [Box(x: 10, y: 20, width: 30, height: 40), Box(x: 200, y: 100, width: 100, height: 150)],
        [Box(x: 0, y: 0, width: 400, height: 300)], [Box(x: 399, y: 299, width: 1, height: 1)], [],
    ]

    /// Pictures of 400 × 300 under each of the eight orientations, with each of the sets of faces.
    private static let jobs: [String] = Orientation.allCases.flatMap { orientation in
        faces.enumerated().map { number, faces in
            Sample.item(
                id: orientation.rawValue * 10 + number,
                name: "o\(orientation.rawValue)-\(number).jpg",
                faces: faces.map { Sample.face($0.x, $0.y, $0.width, $0.height) },
                orientation: orientation.rawValue
            )
        }
    }

    @Test(
        "the same faces within a pixel, for all eight orientations, and no complaint",
        .enabled(if: areThere, "needs exiftool, exiv2 and what scripts/install-readers installs"),
        .ownThread,
        arguments: Coordinates.allCases
    )
    func readBack(_ coordinates: Coordinates) throws {
        let folder = try TemporaryDirectory()
        let page = try ExportedPage(Sample.page(Self.jobs))
        try Self.write(page, in: coordinates, to: folder)
        let result = try Shell.run([Self.python, Self.root + "/scripts/readers/read_back.py", folder.path])
        // What libraries say to standard error comes before the one line of JSON.
        let line = try #require(result.output.split(separator: "\n").last)
        let all = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            "\(result)"
        )
        #expect(all["said"] as? [String] == [])
        let readers = [
            "coco", "yolo", "label_studio", "img2dataset", "duckdb_csv", "duckdb_jsonl", "pandas_csv",
            "pandas_jsonl", "webdataset",
            "exiftool-mwg", "exiftool-mp", "exiftool-iptc", "exiv2", "exempi",
        ]
        for reader in readers {
            let found = try JSONDecoder().decode(
                [String: Found].self,
                from: JSONSerialization.data(withJSONObject: all[reader] ?? [:])
            )
            let isXMP = reader.hasPrefix("ex")
            for item in page.items {
                let name = isXMP ? item.job.name + ".xmp" : item.job.name
                let picture = try #require(item.job.picture(in: isXMP ? .stored : coordinates))
                guard !isXMP || !picture.faces.isEmpty else { continue }
                Self.compare(picture, found[name], by: "\(reader): \(name)")
            }
        }
    }

    private static func compare(_ picture: ExportedPicture, _ found: Found?, by reader: String) {
        guard let found else {
            Issue.record("\(reader) is missing")
            return
        }
        let size = [Double(picture.size.width), Double(picture.size.height)]
        if let said = found.size { #expect(said == size, "\(reader)") }
        #expect(found.boxes.count == picture.faces.count, "\(reader)")
        for (face, box) in zip(picture.faces, found.boxes) {
            // Who names no size has parts of the picture.
            let scale = found.size == nil ? size + size : [1, 1, 1, 1]
            let wanted = [face.box.x, face.box.y, face.box.width, face.box.height].map(Double.init)
            for (one, (other, by)) in zip(wanted, zip(box, scale)) {
                #expect(abs(one - other * by) < 1, "\(reader): \(wanted) is \(box)")
            }
        }
    }

    /// All formats, as `facefetch export` lays them out.
    private static func write(
        _ page: ExportedPage,
        in coordinates: Coordinates,
        to folder: TemporaryDirectory
    ) throws {
        var coco = COCOFormat(in: coordinates)
        var tasks = LabelStudioFormat(in: coordinates)
        var (images, boxes, label, list): ([UInt8], [UInt8], [UInt8], [UInt8]) = ([], [], [], [])
        var (csv, lines, tar) = (CSVFormat.heading, [UInt8](), [UInt8]())
        for directory in ["yolo", "yolo/images", "yolo/labels", "sidecars", "shards"] {
            _ = try folder.directory(directory)
        }
        for item in page.items {
            let (job, picture) = (item.job, try #require(item.job.picture(in: coordinates)))
            coco.write(job, picture, images: &images, annotations: &boxes)
            tasks.write(job, picture, to: &label)
            Img2DatasetFormat.write(job, picture, to: &list)
            CSVFormat.write(job, in: coordinates, isRaw: false, to: &csv)
            let start = lines.count
            try JSONLinesFormat.write(item, of: page, in: coordinates, to: &lines)
            try folder.write(blank(picture.size), to: "yolo/images/" + job.name)
            try folder.write(
                YOLOFormat.labels(picture),
                to: "yolo/labels/\(YOLOFormat.split(job.name).stem).txt"
            )
            let names = WebDatasetFormat.names(job)
            let document = [UInt8](repeating: 7, count: Int(job.bytes))
            for (name, bytes) in [(names.picture, document), (names.json, Array(lines[start...]))] {
                tar += WebDatasetFormat.header(name: name, length: Int64(bytes.count), time: 1_800_000_000)
                tar += bytes + WebDatasetFormat.padding(after: Int64(bytes.count))
            }
            if let sidecar = XMPSidecar.text(try #require(job.picture(in: .stored))) {
                try folder.write(sidecar, to: "sidecars/" + job.name + ".xmp")
            }
        }
        try folder.write(coco.opening + images + coco.middle + boxes + coco.closing, to: "coco.json")
        try folder.write(tasks.opening + label + tasks.closing, to: "label-studio.json")
        try folder.write(list, to: "img2dataset.jsonl")
        try folder.write(csv, to: "jobs.csv")
        try folder.write(lines, to: "jobs.jsonl")
        try folder.write(tar + WebDatasetFormat.end, to: "shards/" + WebDatasetFormat.shard(0))
        try folder.write(YOLOFormat.classesFile, to: "yolo/classes.txt")
        try folder.write(YOLOFormat.dataFile(in: coordinates), to: "yolo/data.yaml")
    }

    /// An image of so many pixels, as PPM (netpbm), of which readers want only the size.
    private static func blank(_ size: Size) -> [UInt8] {
        Array("P6 \(size.width) \(size.height) 255\n".utf8)
            + [UInt8](repeating: 255, count: size.width * size.height * 3)
    }
}
