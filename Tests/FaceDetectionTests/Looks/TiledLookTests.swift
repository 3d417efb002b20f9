import Glibc
import PaintedPictures
import TestTraits
import Testing

@testable import FaceDetection

/// An engine that takes each white square for a face, and the pixels that it was given for nothing else.
private final class SquareEngine: FaceEngine {
    let name = "squares"
    let parameters = "p"
    let ladder = LookLadder(sizes: [640, 1280, 2560], small: 20, large: 40, widest: 64)
    private(set) var largest = 0
    private(set) var looks = 0

    func confidence(at look: Int) -> Double { 0.7 }

    func candidates(in picture: Picture) throws(UnreadablePicture) -> [EngineBox] {
        looks += 1
        largest = max(largest, picture.pixels.count)
        func isWhite(_ x: Int, _ y: Int) -> Bool {
            x >= 0 && y >= 0 && picture.pixels[(y * picture.width + x) * 3] == 255
        }
        var found: [EngineBox] = []
        for y in 0..<picture.height {
            let length = picture.width * 3
            let hasWhite = picture.pixels.withUnsafeBytes { bytes in
                bytes.baseAddress.map { memchr($0 + y * length, 255, length) != nil } ?? false
            }
            guard hasWhite else { continue }
            for x in 0..<picture.width where isWhite(x, y) && !isWhite(x - 1, y) && !isWhite(x, y - 1) {
                let width = (x..<picture.width).prefix { isWhite($0, y) }.count
                let height = (y..<picture.height).prefix { isWhite(x, $0) }.count
                found.append(
                    EngineBox(
                        x: Double(x),
                        y: Double(y),
                        width: Double(width),
                        height: Double(height),
                        // A square that a seam cuts is seen less surely, and would be another face.
                        confidence: 0.7 + Double(min(width, height)) / 1000
                    )
                )
            }
        }
        return found
    }
}

@Suite(.ownThread) struct TiledLookTests {
    /// Rows of a black picture with white squares, made as they are asked for.
    private func rows(
        _ size: Int,
        of full: (width: Int, height: Int),
        squares: [(x: Int, y: Int)],
        side: Int = 20,
        ending: Int = .max
    ) -> PictureRows? {
        let scale = Double(size) / Double(max(full.width, full.height))
        let (width, height) = (Int(Double(full.width) * scale), Int(Double(full.height) * scale))
        var next = 0
        let header = PictureHeader.pixels(
            width: width,
            height: height,
            fullWidth: full.width,
            fullHeight: full.height,
            orientation: 1,
            format: .jpeg
        )
        return PictureRows(header: header) { count in
            guard next + count <= min(height, ending) else { return nil }
            var pixels = [UInt8](repeating: 0, count: count * width * 3)
            for square in squares {
                for y in square.y..<square.y + side where (next..<next + count).contains(y) {
                    let begin = ((y - next) * width + square.x) * 3
                    for index in begin..<begin + side * 3 { pixels[index] = 255 }
                }
            }
            next += count
            return pixels
        }
    }

    private func small(_ size: Int, of full: (width: Int, height: Int), pixels: [UInt8]? = nil) -> Picture {
        let longer = max(full.width, full.height)
        let width = full.width * min(size, longer) / longer
        let height = max(1, full.height * min(size, longer) / longer)
        return Picture(
            pixels: pixels ?? [UInt8](repeating: 0, count: width * height * 3),
            width: width,
            height: height,
            fullWidth: full.width,
            fullHeight: full.height,
            orientation: 1,
            format: .jpeg
        )
    }

    // On seams of tiles in both directions, in corners, and in the midst.
    private let squares = [
        (0, 0), (1090, 790), (1085, 40), (500, 795), (7660, 1300), (3285, 785), (4000, 600),
    ].map { (x: $0.0, y: $0.1) }

    @Test("Faces on seams are found whole, once, and no more than a tile is looked at")
    func seams() throws {
        let engine = SquareEngine()
        let full = (width: 7680, height: 1600)
        let detector = FaceDetector(engine: engine, smallFaces: .always)
        let findings = try detector.look {
            small($0, of: full)
        } rows: { size, take in
            #expect(size == 7680)
            try take(try #require(rows(size, of: full, squares: squares)))
        }
        #expect(findings.looks == [640, 1280, 2560, 7680])
        #expect(findings.faces.count == squares.count)
        for square in squares {
            #expect(
                findings.faces.contains {
                    $0.x == square.x && $0.y == square.y && $0.width == 20 && $0.height == 20
                }
            )
        }
        #expect(engine.largest <= 2560 * 1280 * 3)
    }

    @Test("Where rows end too soon, or the time does, what was found before stays")
    func givenUp() throws {
        let full = (width: 7680, height: 1600)
        let whole = FaceDetector(engine: SquareEngine(), smallFaces: .always)
        let cut = try whole.look {
            small($0, of: full)
        } rows: { size, take in
            try take(try #require(rows(size, of: full, squares: squares, ending: 1400)))
        }
        #expect(cut.looks == [640, 1280, 2560] && cut.faces.isEmpty)
        // There is no time at all.
        let hurried = FaceDetector(engine: SquareEngine(), smallFaces: .always, limit: .zero)
        let first = try hurried.look {
            small($0, of: full)
        } rows: { _, _ in
            Issue.record("no time for that")
        }
        #expect(first.looks == [640, 1280, 2560])
    }

    @Test(
        "Where a further look lacks memory or time, what was found before stays",
        arguments: [UnreadablePicture.tooMuchMemory, .tooMuchTime]
    )
    func lacking(_ lack: UnreadablePicture) throws {
        let full = (width: 7680, height: 1600)
        func look(upTo most: Int) throws -> Findings {
            try FaceDetector(engine: SquareEngine(), smallFaces: .always).look { size in
                guard size <= most else { throw lack }
                let strip = try #require(rows(size, of: full, squares: [(x: 40, y: 40)], side: 30))
                return small(size, of: full, pixels: strip.rows(strip.frame.height))
            } rows: { _, _ in
                throw lack
            }
        }
        let tiled = try look(upTo: 2560)
        #expect(tiled.looks == [640, 1280, 2560] && !tiled.faces.isEmpty)
        let second = try look(upTo: 640)
        #expect(second.looks == [640] && second.faces.count == 1)
        // Without any look there is nothing to tell.
        #expect(throws: lack) { try look(upTo: 0) }
    }

    @Test("A picture that is another one in tiles is not counted")
    func changed() {
        let detector = FaceDetector(engine: SquareEngine(), smallFaces: .always)
        #expect(throws: UnreadablePicture.self) {
            try detector.look {
                small($0, of: (7680, 1600))
            } rows: { size, take in
                try take(try #require(rows(size, of: (7681, 1600), squares: [])))
            }
        }
    }

    @Test("Rows are the pixels that decoding at once gives, in any portions", arguments: [1, 7, 64, 200])
    func decoded(_ portion: Int) throws {
        let folder = try TemporaryFolder()
        let painted = PaintedPicture(faces: 2)
        for (name, bytes) in [("a.jpg", try painted.jpeg()), ("a.png", try painted.png())] {
            let path = try folder.file(name, bytes)
            let whole = try PictureDecoder().decode(path: path, workingSize: 400)
            let descriptor = try PictureDecoder.open(path: path)
            defer { close(descriptor) }
            let picture = try PictureDecoder().rows(descriptor: descriptor, workingSize: 400)
            #expect(picture.frame.width == whole.width && picture.frame.height == whole.height)
            var pixels: [UInt8] = []
            for first in stride(from: 0, to: whole.height, by: portion) {
                pixels += try #require(picture.rows(min(portion, whole.height - first)))
            }
            #expect(pixels == whole.pixels, "\(name)")
            #expect(picture.rows(1) == nil)
        }
    }

    @Test("A detector looks at a long picture in tiles, through its sandbox, with faces on their seams")
    func detector() throws {
        // Tiles of 7,680 pixels are 1,097 apart.
        let faces = [100, 1074, 2171, 4360, 6560, 7600].map { PaintedFace(x: $0, y: 60, side: 46) }
        let picture = PaintedPicture(width: 7680, height: 200, faces: faces)
        let folder = try TemporaryFolder()
        let path = try folder.file("a.jpg", picture.jpeg())
        var engines = [["--working-size", "640"]]
        engines += SharedFiles.model.map { [["--engine", "yunet", "--model", $0]] } ?? []
        for engine in engines {
            let run = try Detector(engine + ["--small-faces", "always", path])
            let line = try #require(run.lines.first, "\(run.errors)")
            #expect((line["looks"] as? [Int])?.last == 7680, "\(run.output)")
            #expect(line["face_count"] as? Int == faces.count, "\(run.output)")
            // Nor are they left in a copy that hides them.
            let out = folder.path + "/\(engine[1])"
            let redacted = try Detector(engine + ["--redact", out, path])
            #expect(redacted.status == 0, "\(redacted.errors)")
            let again = try Detector(engine + ["--small-faces", "always", out + "/a-redacted.jpg"])
            #expect(again.lines.first?["face_count"] as? Int == 0, "\(again.output)")
        }
    }
}
