import Foundation
import PaintedPictures
import TestSupport
import TestTraits
import Testing

@testable import FaceDetection

private let shown = PaintedPicture(
    width: 701,
    height: 480,
    faces: [PaintedFace(x: 60, y: 90, side: 110), PaintedFace(x: 300, y: 140, side: 170)],
    seed: 5
)

/// Pictures in all eight ways in which they can lie, where the format has a way of its own to say so, or other
/// programs have written them.
@Suite(.ownThread) struct TurnedFormatTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path
    private static let python = root + "/.build/readers/bin/python"
    private static let upright = root + "/scripts/readers/upright.py"
    private static let hasPillow =
        (try? Shell.run([python, "-c", "import PIL, pillow_heif"]))?.status == 0

    private let folder: TemporaryFolder
    private let detector: FaceDetector

    init() throws {
        folder = try TemporaryFolder()
        detector = FaceDetector(engine: try HaarEngine())
    }

    /// Expects a file to be seen as the picture that was painted, and to say how it lies.
    private func expect(_ bytes: [UInt8], _ orientation: Orientation, _ words: String) throws {
        let path = try folder.file("picture", bytes)
        let seen = detector.look(at: path)
        #expect(seen.finds(shown.faces), "\(words), \(orientation): \(seen)")
        #expect(seen.seen?.orientation == orientation.rawValue, "\(words), \(orientation)")
        #expect(seen.seen?.width == 701 && seen.seen?.height == 480, "\(words), \(orientation)")
        let picture = try PictureDecoder().decode(path: path, workingSize: 2000)
        #expect(Self.difference(picture, shown.pixels) < 8, "\(words), \(orientation)")
    }

    /// The mean difference of a picture's pixels from others, from 0 to 255.
    private static func difference(_ picture: Picture, _ pixels: [UInt8]) -> Double {
        guard picture.pixels.count == pixels.count else { return 255 }
        let sum = zip(picture.pixels, pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(pixels.count)
    }

    @Test("Every kind of TIFF is turned as its tag 274 says", arguments: Orientation.allCases)
    func tiff(_ orientation: Orientation) throws {
        let lying = shown.lying(orientation)
        let jpeg = try shown.plainJPEG(quality: 85, orientation: orientation)
        let (width, height) = (lying.width, lying.height)
        let kinds: [(String, PaintedTIFF.Page)] = [
            ("in strips", .init(lying)), ("in tiles of planes", .planes(lying)),
            ("an old JPEG", .oldJPEG(jpeg, width: width, height: height)),
            ("a JPEG", .jpeg(jpeg, width: width, height: height)),
        ]
        for (words, page) in kinds {
            var page = page
            page.tags[274] = .short([orientation.rawValue])
            try expect(PaintedTIFF.file([page]), orientation, words)
            // Behind a thumbnail that lies otherwise.
            var thumbnail = PaintedTIFF.Page(PaintedPicture(width: 70, height: 48, seed: 9), kind: 1)
            thumbnail.tags[274] = .short([orientation == .upright ? 6 : 1])
            page.tags[254] = .long([0])
            try expect(PaintedTIFF.file([thumbnail, page]), orientation, words + " behind a thumbnail")
        }
    }

    @Test(
        "A JPEG XL lies as its own header says, whatever EXIF says beside it, as cjxl writes both",
        .enabled(if: Shell.find("cjxl") != nil, "needs cjxl (libjxl-tools)"),
        arguments: Orientation.allCases
    )
    func jxl(_ orientation: Orientation) throws {
        let cjxl = try #require(Shell.find("cjxl"))
        let jpeg = try folder.file("a.jpg", try shown.jpeg(orientation: orientation))
        let png = try folder.file(
            "a.png",
            PNGChunks.withExif(orientation: orientation, try shown.png(orientation: orientation))
        )
        // Without and with a container, which has EXIF's words, too; a JPEG also as it is, to be had back.
        for (source, options) in [
            (jpeg, ["-j", "0"]), (jpeg, ["-j", "0", "--container=1"]), (jpeg, []), (png, []),
            (png, ["--container=1", "-d", "0"]),
        ] {
            let target = folder.path + "/a.jxl"
            let run = try Shell.run([cjxl, source, target, "--quiet"] + options)
            #expect(run.status == 0, "\(run.output)")
            let words = "\(source.suffix(3)) \(options.joined(separator: " "))"
            let isUpright = try agreesWithTheirs(target, words)
            // cjxl 0.7 heeds the EXIF of a PNG, and 0.11 that of a JPEG only: then the picture lies for everybody.
            #expect(isUpright || source == png, "\(words), \(orientation)")
            guard isUpright else { continue }
            try expect(Array(try Data(contentsOf: URL(filePath: target))), orientation, words)
        }
    }

    /// Expects a JPEG XL to be seen as djxl shows it; returns whether that is as it was painted.
    private func agreesWithTheirs(_ path: String, _ words: String) throws -> Bool {
        let run = try Shell.run([try #require(Shell.find("djxl")), path, path + ".ppm", "--quiet"])
        #expect(run.status == 0, "\(run.output)")
        let theirs = [UInt8](try Data(contentsOf: URL(filePath: path + ".ppm")))
        let picture = try PictureDecoder().decode(path: path, workingSize: 2000)
        let head = Array("P6\n\(picture.width) \(picture.height)\n255\n".utf8)
        #expect(theirs.starts(with: head), "\(words)")
        let pixels = Array(theirs.dropFirst(head.count))
        #expect(Self.difference(picture, pixels) < 3, "\(words)")
        return Self.difference(picture, shown.pixels) < 8
    }

    @Test(
        "HEIC and AVIF are as Pillow and pillow-heif see them, with libraries of their own",
        .enabled(if: hasPillow, "needs what scripts/install-readers installs"),
        arguments: [false, true]
    )
    func pillow(_ isTurnedFirst: Bool) throws {
        var files: [(path: String, orientation: Orientation)] = []
        for orientation in Orientation.allCases {
            let pictures = [
                ("heic", try shown.heic(quality: 90, orientation: orientation, isTurnedFirst: isTurnedFirst)),
                ("avif", try shown.avif(quality: 90, orientation: orientation, isTurnedFirst: isTurnedFirst)),
            ]
            for (ending, bytes) in pictures {
                files.append((try folder.file("\(orientation).\(ending)", bytes), orientation))
            }
        }
        let run = try Shell.run([Self.python, Self.upright] + files.map(\.path))
        #expect(run.status == 0, "\(run.output)")
        for (path, orientation) in files {
            let picture = try PictureDecoder().decode(path: path, workingSize: 2000)
            #expect(picture.orientation == orientation.rawValue, "\(path)")
            let head = Array("P6\n701 480\n255\n".utf8)
            let theirs = [UInt8](try Data(contentsOf: URL(filePath: path + ".ppm")))
            #expect(theirs.starts(with: head), "\(path)")
            #expect(Self.difference(picture, Array(theirs.dropFirst(head.count))) < 3, "\(path)")
        }
    }
}
