import FaceDetection
import Foundation
import PaintedPictures
import TestTraits
import Testing

/// Copies of pictures that have more in them than one can see.
@Suite(.ownThread) struct StrangeCopyTests {
    private let folder: TemporaryFolder
    private let out: String

    init() throws {
        folder = try TemporaryFolder()
        out = folder.path + "/out"
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: out + "/" + name)))
    }

    @Test("Animations, pages, deep colours, inks and alpha become one plain picture without its faces")
    func strange() throws {
        let painted = PaintedPicture(faces: 1, seed: 3)
        let files = try [
            folder.file("a.gif", painted.gif(emptyFrames: 2)),
            folder.file("b.tif", painted.tiff(emptyPages: 2)),
            folder.file("c.png", painted.png(colour: .deep)),
            folder.file("d.png", painted.png(colour: .alpha)),
            folder.file("e.png", painted.png(colour: .deepAlpha)),
            folder.file("f.jpg", painted.jpeg(colour: .cmyk)),
            folder.file("g.webp", painted.webp(colour: .alpha)),
        ]
        let made = try Detector(["--redact", out] + files)
        #expect(made.status == 0 && made.errors.isEmpty, "\(made.errors)")
        #expect(made.lines.allSatisfy { ($0["face_count"] as? Int ?? 0) >= 1 })
        let names = made.lines.flatMap { $0["copies"] as? [String] ?? [] }
        #expect(names.count == files.count)
        let again = try Detector(names.map { out + "/" + $0 })
        #expect(
            again.status == 0 && again.lines.allSatisfy { $0["face_count"] as? Int == 0 },
            "\(again.output)"
        )
        for name in names {
            let copy = try PictureDecoder().decode(path: out + "/" + name, workingSize: 4096)
            #expect(copy.fullWidth == painted.width && copy.fullHeight == painted.height, "\(name)")
            guard name.hasSuffix(".png") else { continue }
            // Eight bits of red, green and blue: nothing lies under an alpha channel (PNG, 11.2.2).
            #expect(try bytes(name)[24..<26] == [8, 2], "\(name)")
            // What was transparent is white.
            guard name.hasPrefix("d") || name.hasPrefix("e") else { continue }
            #expect(copy.pixels.prefix(3) == [255, 255, 255])
        }
    }

    @Test("A copy is upright with its faces hidden, whatever the orientation of the picture")
    func turned() throws {
        let painted = PaintedPicture(faces: 1, seed: 3)
        let files = try Orientation.allCases.map { orientation in
            try folder.file("\(orientation.rawValue).jpg", painted.jpeg(orientation: orientation))
        }
        let made = try Detector(["--redact", out] + files)
        #expect(made.status == 0 && made.lines.count == 8, "\(made.errors)")
        let copies = try made.lines.flatMap { $0["copies"] as? [String] ?? [] }.map {
            try PictureDecoder().decode(path: out + "/" + $0, workingSize: 4096)
        }
        let upright = try #require(copies.first)
        #expect(copies.count == 8 && upright.width == painted.width && upright.height == painted.height)
        for copy in copies {
            try #require(copy.pixels.count == upright.pixels.count && copy.width == upright.width)
            #expect(copy.orientation == 1)
            let difference = zip(copy.pixels, upright.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(difference < copy.pixels.count * 4, "\(difference / copy.pixels.count)")
        }
    }

    @Test("Second pictures in a JPEG, such as thumbnails and those behind its end, are not in its copy")
    func seconds() throws {
        let (painted, other) = (PaintedPicture(faces: 1, seed: 3), PaintedPicture(faces: 1, seed: 8))
        let second = try other.jpeg(quality: 20)
        // A thumbnail as Photoshop has it, in APP13, and a whole picture behind the end (CIPA DC-007).
        let segment = Array("Photoshop 3.0\0".utf8) + second.prefix(60_000)
        let length = UInt16(segment.count + 2)
        let picture =
            try [0xFF, 0xD8, 0xFF, 0xED, UInt8(length >> 8), UInt8(length & 255)] + segment
            + painted.jpeg().dropFirst(2) + second
        let file = try folder.file("a.jpg", picture)
        for kind in ["--redact", "--crops", "--annotate"] {
            let made = try Detector([kind, out, file])
            #expect(made.status == 0, "\(made.errors)")
            for name in made.lines.flatMap({ $0["copies"] as? [String] ?? [] }) {
                let copy = Data(try bytes(name))
                #expect(copy.range(of: Data("Photoshop".utf8)) == nil, "\(name)")
                // One start of a picture, and nothing behind its end.
                let start = Data([0xFF, 0xD8, 0xFF])
                #expect(copy.range(of: start, in: 3..<copy.count) == nil, "\(name)")
                #expect(copy.suffix(2) == Data([0xFF, 0xD9]), "\(name)")
            }
        }
    }

    @Test("A JPEG's copy has colours at half its resolution where the JPEG has, and at all of it otherwise")
    func colours() throws {
        let painted = PaintedPicture(faces: 1, seed: 3)
        // libvips halves them below a quality of 90.
        let files = try [
            folder.file("half.jpg", painted.jpeg(quality: 85)),
            folder.file("full.jpg", painted.jpeg(quality: 95)),
            folder.file("turned.jpg", painted.jpeg(quality: 85, orientation: .needsClockwise)),
        ]
        #expect(try Detector(["--redact", out] + files).status == 0)
        for (name, factors) in [("half", 0x22), ("full", 0x11), ("turned", 0x22)] {
            let copy = try bytes(name + "-redacted.jpg")
            // The frame's header (ITU-T T.81, B.2.2): behind its length, depth and sides the number of
            // components, and of the first, the brightness, its number and its sampling factors.
            let frame = try #require(copy.firstRange(of: [0xFF, 0xC0])).lowerBound
            #expect(copy[frame + 11] == factors, "\(name)")
        }
    }

    @Test("A file is known by its sum, and stays where it was")
    func sum() throws {
        let file = try folder.file("a", Array("abc".utf8))
        let descriptor = try PictureDecoder.open(path: file)
        defer { close(descriptor) }
        // FIPS 180-4's own example.
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        try FileSum.check(sum, of: descriptor)
        #expect(lseek(descriptor, 0, SEEK_CUR) == 0)
        #expect(throws: UnreadablePicture.self) { try FileSum.check(String(sum.reversed()), of: descriptor) }
    }

    @Test("Crops that an earlier run had of more faces are named, and stay")
    func surplus() throws {
        let many = try PaintedPicture(faces: 2, seed: 7).jpeg()
        let file = try folder.file("a.jpg", many)
        #expect(try Detector(["--crops", out, file]).status == 0)
        let old = try bytes("a-face2.jpg")
        try FileManager.default.removeItem(atPath: file)
        _ = try folder.file("a.jpg", PaintedPicture(faces: 1, seed: 3).jpeg())
        let run = try Detector(["--crops", out, "--replace", file])
        #expect(run.status == 0 && run.errors.contains("a-face2.jpg is of an earlier run"), "\(run.errors)")
        #expect(try bytes("a-face2.jpg") == old)
    }
}
