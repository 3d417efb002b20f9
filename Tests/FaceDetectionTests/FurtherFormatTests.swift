import Foundation
import PaintedPictures
import TestSupport
import TestTraits
import Testing
import Vocabulary

@testable import FaceDetection

private let painted = PaintedPicture(
    width: 701,
    height: 480,
    faces: [PaintedFace(x: 60, y: 90, side: 110), PaintedFace(x: 300, y: 140, side: 170)],
    seed: 5
)

/// BMP, JPEG XL and JPEG 2000.
@Suite(.ownThread) struct FurtherFormatTests {
    private let folder: TemporaryFolder
    private let detector: FaceDetector

    init() throws {
        folder = try TemporaryFolder()
        detector = FaceDetector(engine: try HaarEngine())
    }

    private func look(_ bytes: [UInt8]) throws -> Detection {
        detector.look(at: try folder.file("picture", bytes))
    }

    /// The mean difference of a picture's pixels from the painted one's, from 0 to 255.
    private func difference(_ bytes: [UInt8]) throws -> Double {
        let picture = try PictureDecoder().decode(path: try folder.file("p", bytes), workingSize: 2000)
        guard picture.width == painted.width, picture.height == painted.height else { return 255 }
        let sum = zip(picture.pixels, painted.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(painted.pixels.count)
    }

    /// JPEG XL and JPEG 2000, as far as libvips can write them here.
    private static let encoded: [(PictureFormat, [UInt8])] =
        [
            (PictureFormat.jxl, try? painted.jxl()), (.jp2, try? painted.jp2()),
            (.jp2, try? painted.jp2(side: 128)),
        ]
        .compactMap { format, bytes in bytes.map { (format, $0) } }

    @Test("Every kind of BMP has the pixels that it was made of", arguments: BitmapKind.allCases)
    func bitmaps(_ kind: BitmapKind) throws {
        let bytes = painted.bmp(kind)
        let seen = try look(bytes)
        #expect(seen.seen?.format == .bmp && seen.seen?.width == 701 && seen.seen?.height == 480, "\(seen)")
        switch kind {
        case .plain, .topDown, .wide, .core, .newest: #expect(try difference(bytes) == 0)
        case .masks, .short: #expect(try difference(bytes) < 4)
        case .palette, .nibbles, .runs, .shortRuns: #expect(try difference(bytes) < 25)
        case .bits: break
        }
        if kind != .bits { return #expect(seen.finds(painted.faces), "\(seen)") }
        let picture = try PictureDecoder().decode(path: try folder.file("bits", bytes), workingSize: 2000)
        let wanted = stride(from: 0, to: painted.pixels.count, by: 3).flatMap { place -> [UInt8] in
            let (red, green) = (Int(painted.pixels[place]), Int(painted.pixels[place + 1]))
            let grey = (red * 3 + green * 6 + Int(painted.pixels[place + 2])) / 10
            return [UInt8](repeating: grey >= 128 ? 255 : 0, count: 3)
        }
        #expect(picture.pixels == wanted)
    }

    @Test("Other programs' BMPs are read as these read them")
    func pillow() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let python = root.appending(path: ".build/readers/bin/python").path
        guard (try? Shell.run([python, "-c", "import PIL"])) != nil else { return }
        let png = try folder.file("a.png", try painted.png())
        for mode in ["1", "L", "P", "RGB", "RGBA"] {
            let bmp = folder.path + "/\(mode).bmp"
            let program = """
                import sys
                from PIL import Image
                Image.open(sys.argv[1]).convert(sys.argv[2]).save(sys.argv[3])
                Image.open(sys.argv[3]).convert("RGB").save(sys.argv[3] + ".png")
                """
            _ = try Shell.run([python, "-c", program, png, mode, bmp])
            let ours = try PictureDecoder().decode(path: bmp, workingSize: 2000)
            let theirs = try PictureDecoder().decode(path: bmp + ".png", workingSize: 2000)
            #expect(ours.pixels == theirs.pixels && ours.width == 701, "\(mode)")
        }
    }

    @Test("JPEG XL and JPEG 2000 are looked at, in their full size")
    func encoded() throws {
        #expect(Self.encoded.count == 3, "libvips can't write them here")
        for (format, bytes) in Self.encoded {
            #expect(PictureFormat(signature: Array(bytes.prefix(16))) == format)
            let seen = try look(bytes)
            #expect(seen.finds(painted.faces), "\(format): \(seen)")
            #expect(seen.seen?.format == format && seen.seen?.width == 701 && seen.seen?.orientation == 1)
            #expect(try difference(bytes) < 6, "\(format)")
        }
    }

    @Test("What EXIF says of how a JPEG XL lies is for nobody, since its decoder turns it")
    func orientationOfJXL() throws {
        guard let bytes = try? painted.jxl(orientation: .needsClockwise) else { return }
        let seen = try look(bytes)
        // Stored on its side, with an orientation in EXIF alone: so it is shown.
        #expect(seen.seen?.width == 480 && seen.seen?.height == 701 && seen.seen?.orientation == 1, "\(seen)")
        // The header, bit by bit: a small size, and metadata whose first field is the orientation 6.
        func read(_ bytes: [UInt8]) -> Int? {
            JXLOrientation.read { Array(bytes.dropFirst($0).prefix($1)) }
        }
        // Small (1), height (5), ratio 1 (3), not as usual (0), more fields (1), orientation 5 (3).
        let bits: [Int] = [1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1]
        let packed = (0..<2).map { byte in
            (0..<8).reduce(UInt8(0)) { value, bit in
                let place = byte * 8 + bit
                return value | (place < bits.count && bits[place] == 1 ? 1 << UInt8(bit) : 0)
            }
        }
        let bare = [0xFF, 0x0A] + packed
        #expect(read(bare) == 6)
        let box: (String, [UInt8]) -> [UInt8] = { name, body in
            [0, 0, 0, UInt8(8 + body.count)] + Array(name.utf8) + body
        }
        #expect(read(box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("jxlc", bare)) == 6)
        #expect(read(box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("jxlp", [0, 0, 0, 0] + bare)) == 6)
        for odd in [[], [0xFF], [0xFF, 0x0A], box("JXL ", []), [0, 0, 0, 0] + Array("free".utf8)] as [[UInt8]]
        {
            #expect(read(odd) == nil)
        }
        // Boxes without end, or of a length that goes round.
        #expect(
            JXLOrientation.read { _, count in
                Array([0, 0, 0, 8] + Array("free".utf8) + [0, 0, 0, 8] + Array("free".utf8)).prefix(count).map
                { $0 }
            } == nil
        )
        #expect(JXLOrientation.read { _, count in [UInt8](repeating: 0xFF, count: count) } == nil)
    }

    @Test("What is cut off anywhere is unreadable, and never another picture")
    func cutOff() throws {
        for (format, bytes) in Self.encoded + BitmapKind.allCases.map({ (.bmp, painted.bmp($0)) }) {
            for length in [1, 2, 14, 16, 18, 30, 60, 200, bytes.count / 2, bytes.count - 400] {
                let detection = try look(Array(bytes.prefix(length)))
                #expect(detection.seen == nil, "\(format): \(length) of \(bytes.count)")
            }
        }
    }

    @Test("Headers that claim more than a file can have, or a machine should hold, are refused at once")
    func claims() throws {
        var decoder = PictureDecoder()
        decoder.limits.wholePictureBytes = 701 * 480 * 3 - 1
        for bytes in Self.encoded.map(\.1) + [painted.bmp()] {
            let path = try folder.file("large", bytes)
            let error = #expect(throws: UnreadablePicture.self) {
                try decoder.decode(path: path, workingSize: 960)
            }
            #expect(error?.description.contains("bytes of memory") == true, "\(error?.description ?? "")")
        }
        decoder = PictureDecoder()
        decoder.limits.pixels = 701 * 480 - 1
        for bytes in Self.encoded.map(\.1) + [painted.bmp()] {
            let path = try folder.file("large", bytes)
            let error = #expect(throws: UnreadablePicture.self) {
                try decoder.decode(path: path, workingSize: 960)
            }
            #expect(error?.description == "has 701 x 480 pixels; the limit is 336479")
        }
        // A side of 30,000, or of more than there are numbers, in a file of 1 MB.
        for (kind, reason) in [
            (BitmapKind.plain, "is a BMP that is cut off"), (.runs, "more than its data can have"),
        ] {
            var bytes = painted.bmp(kind)
            bytes.replaceSubrange(18..<26, with: [0x30, 0x75, 0, 0, 0x30, 0x2E, 0, 0])
            let told = try look(bytes).reason ?? ""
            #expect(told.contains(reason), "\(kind): \(told)")
            for side in [[0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 0x80], [0, 0, 0, 0]] as [[UInt8]] {
                bytes.replaceSubrange(18..<22, with: side)
                bytes.replaceSubrange(22..<26, with: side)
                #expect(try look(bytes).seen == nil)
            }
        }
    }

    /// A JPEG 2000 of a side with two levels, with the sizes of precincts as its header and that of its tile have
    /// them, as powers of 2; without data.
    private static func divided(
        side: Int,
        precincts: [[UInt8]],
        tile: Int? = nil,
        components: Int = 1
    ) -> [UInt8] {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
            [0xFF, marker] + bytes(body.count + 2, 2) + body
        }
        func style(_ sizes: [UInt8]) -> [UInt8] { segment(0x52, [1, 0, 0, 1, 0, 2, 4, 4, 0, 1] + sizes) }
        let place = bytes(side, 4) + bytes(side, 4) + bytes(0, 8)
        let tiles = bytes(tile ?? side, 4) + bytes(tile ?? side, 4) + bytes(0, 8)
        var file: [UInt8] = [0xFF, 0x4F]
        file += segment(
            0x51,
            [0, 0] + place + tiles + bytes(components, 2) + (0..<components).flatMap { _ in [7, 1, 1] }
        )
        file += style(precincts[0]) + segment(0x5C, [0x40] + [UInt8](repeating: 0x40, count: 7))
        let head = precincts.dropFirst().flatMap(style)
        file += segment(0x90, [0, 0] + bytes(14 + head.count + 100, 4) + [0, 1]) + head + [0xFF, 0x93]
        return file + [UInt8](repeating: 0, count: 100) + [0xFF, 0xD9]
    }

    @Test("A JPEG 2000 that is divided into millions of parts is refused before memory is taken for them")
    func parts() throws {
        let (usual, tiny): ([UInt8], [UInt8]) = ([0xFF, 0xFF, 0xFF], [0, 0x11, 0x11])
        for bytes in [
            Self.divided(side: 3000, precincts: [tiny]),
            // Said of one tile alone.
            Self.divided(side: 3000, precincts: [usual, tiny]),
            Self.divided(side: 60_000, precincts: [usual], tile: 235, components: 200),
            Self.divided(side: Int(UInt32.max), precincts: [usual], tile: 1, components: 16_384),
        ] {
            let told = try look(bytes).reason ?? ""
            #expect(told.contains("bytes of memory to decode; the limit is 1073741824"), "\(told)")
            // Markers that nobody knows, between which OpenJPEG looks for those that it does.
            let end = 4 + (Int(bytes[4]) << 8 | Int(bytes[5]))
            let hidden = Array(bytes[..<end]) + [0xFF, 0x30, 0xFF, 0x31] + Array(bytes[end...])
            #expect(JP2Cost.read { Array(hidden.dropFirst($0).prefix($1)) } > 1 << 30)
        }
        // The tile of a TIFF, which libvips gives to OpenJPEG as well; and one whose offset is of a strange type.
        for (type, reason) in [(4, "bytes of memory to decode"), (1, "can't be found in it")] {
            let entries: [(Int, Int, Int)] = [
                (256, 4, 3000), (257, 4, 3000), (258, 3, 8), (259, 3, 33_005), (262, 3, 1), (277, 3, 1),
                (322, 4, 3000), (323, 4, 3000), (324, type, 200), (325, 4, 300),
            ]
            let table = entries.flatMap { tag, type, value in
                [tag, type, 1, 0, value & 0xFFFF, value >> 16].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            }
            var file: [UInt8] =
                [0x49, 0x49, 42, 0, 8, 0, 0, 0, UInt8(entries.count), 0] + table + [0, 0, 0, 0]
            file += [UInt8](repeating: 0, count: 200 - file.count)
            file += Self.divided(side: 3000, precincts: [tiny])
            let told = try look(file).reason ?? ""
            #expect(told.contains(reason), "\(told)")
        }
        func cost(_ bytes: [UInt8]) -> Int { JP2Cost.read { Array(bytes.dropFirst($0).prefix($1)) } }
        #expect(cost(Self.divided(side: 8000, precincts: [[0x77, 0x88, 0x88]], components: 3)) < 100 << 20)
        #expect(cost(Self.divided(side: 30_000, precincts: [usual], tile: 256, components: 3)) < 256 << 20)
        // Nonsense, also such that goes round.
        for odd in [[], [0xFF, 0x4F, 0xFF, 0x51], [0, 0, 0, 8] + Array("jP  ".utf8)] as [[UInt8]] {
            #expect(cost(odd) == 0)
        }
        // Boxes without end, and so many that what is behind them isn't looked at here.
        let free = [0, 0, 0, 8] + Array("free".utf8)
        #expect(JP2Cost.read { _, count in Array(free.prefix(count)) } == 999_999_999_999)
        let divided = Self.divided(side: 64, precincts: [usual])
        for (boxes, isTooMany) in [(100, false), (1100, true)] {
            let bytes =
                [0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]
                + Array(repeatElement(free, count: boxes).joined()) + [0, 0, 0, 0] + Array("jp2c".utf8)
                + divided
            #expect((cost(bytes) == 999_999_999_999) == isTooMany)
        }
        // Markers without end.
        let endless = JP2Cost.read { place, count in
            place == 0
                ? Array([0xFF, 0x4F, 0xFF, 0x51].prefix(count)) : [UInt8](repeating: 0xFF, count: count)
        }
        #expect(endless == 999_999_999_999)
    }

    @Test("BMPs whose numbers make no sense are no pictures")
    func strange() throws {
        let good = painted.bmp()
        // The depth, the compression, and where the pixels begin.
        for (place, values) in [
            (28, [0, 3, 7, 33, 255]), (30, [1, 2, 3, 4, 5, 7, 255]), (10, [0, 13, 53]),
        ] {
            for value in values {
                var bytes = good
                bytes[place] = UInt8(value)
                #expect(try look(bytes).seen == nil, "\(place): \(value)")
            }
        }
        // A colour that isn't in the palette is black.
        var few = painted.bmp(.palette)
        few[46] = 2
        few[47] = 0
        #expect(try look(few).seen?.width == 701)
        // Runs that go beyond the picture, and jump.
        var runs = Array(painted.bmp(.runs).prefix(14 + 40 + 1024))
        runs +=
            [0, 2, 255, 0, 0, 2, 255, 0, 255, 7, 255, 7, 255, 7, 0, 0] + [UInt8](repeating: 0, count: 3000)
            + [0, 1]
        #expect(try look(runs).seen?.width == 701)
    }

    @Test("The sandbox holds for each: facefetch-detector counts their faces, and ends well")
    func confined() throws {
        let files = try (Self.encoded.map(\.1) + [painted.bmp(), painted.bmp(.runs)]).enumerated().map {
            try folder.file("confined-\($0)", $1)
        }
        let run = try Detector(["--engine", "haar"] + files)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.lines.map { $0["face_count"] as? Int } == files.map { _ in 2 }, "\(run.output)")
    }
}
