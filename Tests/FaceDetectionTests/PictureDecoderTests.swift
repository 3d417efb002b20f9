import Foundation
import PaintedPictures
import TestTraits
import Testing

@testable import FaceDetection

/// A picture whose faces can only be where they are: to the left, one larger than the other.
private let lopsided = PaintedPicture(
    width: 700,
    height: 480,
    faces: [PaintedFace(x: 60, y: 90, side: 110), PaintedFace(x: 300, y: 140, side: 170)],
    seed: 5
)

@Suite(.ownThread) struct PictureDecoderTests {
    private let folder: TemporaryFolder
    private let detector: FaceDetector

    init() throws {
        folder = try TemporaryFolder()
        detector = FaceDetector(engine: try HaarEngine())
    }

    private func look(_ bytes: [UInt8], named name: String = "picture.jpg") throws -> Detection {
        detector.look(at: try folder.file(name, bytes))
    }

    @Test(
        "The box lands on the same face whatever the orientation, in JPEG, PNG, WebP and TIFF",
        arguments: Orientation.allCases
    )
    func orientation(_ orientation: Orientation) throws {
        for (format, bytes) in [
            ("JPEG", try lopsided.jpeg(orientation: orientation)),
            ("PNG", PNGChunks.withExif(orientation: orientation, try lopsided.png(orientation: orientation))),
            ("WebP", try lopsided.webp(orientation: orientation)),
            ("TIFF", try lopsided.tiff(orientation: orientation)),
        ] {
            let path = try folder.file("turned", bytes)
            let picture = try PictureDecoder().decode(path: path, workingSize: 100)
            #expect(picture.orientation == orientation.rawValue, "\(format)")
            #expect(picture.format.rawValue == format.lowercased())
            let detection = try look(bytes)
            #expect(detection.finds(lopsided.faces), "\(format), \(orientation): \(detection)")
            guard let seen = detection.seen else { continue }
            #expect(seen.width == 700)
            #expect(seen.height == 480)
            #expect(seen.looks == [700])
        }
    }

    @Test(
        "HEIC and AVIF are turned by their own properties, and the orientation says how, as EXIF would",
        arguments: Orientation.allCases
    )
    func turnedByTheFormat(_ orientation: Orientation) throws {
        for (format, bytes) in [
            ("HEIC", try lopsided.heic(orientation: orientation)),
            ("AVIF", try lopsided.avif(orientation: orientation)),
        ] {
            let path = try folder.file("turned", bytes)
            let picture = try PictureDecoder().decode(path: path, workingSize: 100)
            #expect(picture.orientation == orientation.rawValue, "\(format)")
            #expect(picture.fullWidth == 700 && picture.fullHeight == 480, "\(format)")
            #expect(try look(bytes).finds(lopsided.faces), "\(format), \(orientation)")
        }
    }

    /// A file's picture as engines see it, and as people do.
    private func seen(_ bytes: [UInt8]) throws -> (Picture, shown: Picture) {
        let file = try PictureDecoder.open(path: try folder.file("seen", bytes))
        defer { close(file) }
        let picture = try PictureDecoder().decode(descriptor: file, workingSize: 700)
        lseek(file, 0, SEEK_SET)
        return (picture, try PictureDecoder().decode(descriptor: file, workingSize: 700, isShown: true))
    }

    /// The largest difference of any value.
    private func difference(_ first: Picture, _ second: Picture) -> Int {
        zip(first.pixels, second.pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }

    @Test("People are shown the colours that a picture's profile means, and engines see its values")
    func profiles() throws {
        let plain = try seen(try lopsided.png())
        let wide = try seen(try lopsided.widePNG())
        #expect(!plain.0.hasProfile && plain.0.pixels == plain.shown.pixels)
        #expect(wide.0.hasProfile && wide.shown.hasProfile)
        #expect(difference(plain.0, wide.0) > 10)
        #expect(difference(plain.0, wide.shown) <= 3)
    }

    @Test("One decoding gives engines their values, and people a small picture of what they mean")
    func profilesInPassing() throws {
        for (bytes, isWide) in [(try lopsided.widePNG(), true), (try lopsided.png(), false)] {
            let file = try PictureDecoder.open(path: try folder.file("both", bytes))
            defer { close(file) }
            let (picture, small) = try PictureDecoder().decode(
                descriptor: file,
                workingSize: 700,
                shownSide: 70
            )
            lseek(file, 0, SEEK_SET)
            let alone = try PictureDecoder().decode(descriptor: file, workingSize: 700)
            #expect(picture.pixels == alone.pixels && picture.hasProfile == isWide)
            guard let small else {
                #expect(!isWide)
                continue
            }
            #expect(isWide && small.width == 70 && small.height == 48 && small.fullWidth == 700)
            lseek(file, 0, SEEK_SET)
            // The same, first in its colours and then shrunk.
            let whole = try PictureDecoder().decode(descriptor: file, workingSize: 700, isShown: true)
            #expect(difference(small, try whole.shrunk(to: 70, by: .means)) <= 8)
            lseek(file, 0, SEEK_SET)
            // And shrunk in another way.
            let shown = try PictureDecoder().decode(descriptor: file, workingSize: 70, isShown: true)
            let mean = { (picture: Picture) in
                Double(picture.pixels.reduce(0) { $0 + Int($1) }) / Double(picture.pixels.count)
            }
            #expect(abs(mean(small) - mean(shown)) < 1)
        }
    }

    @Test("Inks and greys are shown as they were looked at; a profile that makes no sense is dropped")
    func otherProfiles() throws {
        for bytes in [
            try lopsided.jpeg(colour: .profiled), try lopsided.jpeg(colour: .cmyk),
            try lopsided.jpeg(colour: .grey), try lopsided.jpeg(),
        ] {
            let (picture, shown) = try seen(bytes)
            #expect(!picture.hasProfile && picture.pixels == shown.pixels)
        }
        var damaged = try lopsided.wideJPEG()
        let name = try #require(damaged.firstRange(of: Array("ICC_PROFILE".utf8)))
        // Behind the name, two numbers and the profile's header: its table of contents.
        let table = name.upperBound + 3 + 128
        damaged.replaceSubrange(table..<(table + 64), with: [UInt8](repeating: 0xFF, count: 64))
        let (picture, shown) = try seen(damaged)
        #expect(picture.hasProfile && picture.pixels == shown.pixels)
    }

    @Test(
        "Every format that is promised can be read, whatever its name",
        arguments: ["jpg", "png", "webp", "gif", "tif", "heic", "avif"]
    )
    func formats(_ format: String) throws {
        let bytes =
            switch format {
            case "jpg": try lopsided.jpeg()
            case "png": try lopsided.png()
            case "webp": try lopsided.webp()
            case "gif": try lopsided.gif()
            case "tif": try lopsided.tiff()
            case "heic": try lopsided.heic()
            default: try lopsided.avif()
            }
        let detection = try look(bytes, named: "a.\(format)")
        #expect(detection.finds(lopsided.faces), "\(format): \(detection)")
        func pixels(_ name: String) throws -> [UInt8] {
            try PictureDecoder().decode(path: try folder.file(name, bytes), workingSize: 960).pixels
        }
        let usual = try pixels("a.\(format)")
        for name in ["a.txt", "a", "a[page=3].jpg", "%d \u{1F600}.png"] {
            let isSame = try pixels(name) == usual
            #expect(isSame, "\(format) as \(name)")
        }
    }

    @Test("Progressive, interlaced and lossless pictures are read")
    func variants() throws {
        #expect(try look(lopsided.jpeg(progressive: true)).finds(lopsided.faces))
        #expect(try look(lopsided.png(interlaced: true)).finds(lopsided.faces))
        #expect(try look(lopsided.webp(lossless: true)).finds(lopsided.faces))
    }

    @Test("Grey, 16 bits, CMYK and alpha are read")
    func colours() throws {
        for (name, bytes) in [
            ("grey JPEG", try lopsided.jpeg(colour: .grey)), ("CMYK JPEG", try lopsided.jpeg(colour: .cmyk)),
            ("grey PNG", try lopsided.png(colour: .grey)), ("deep PNG", try lopsided.png(colour: .deep)),
            ("alpha PNG", try lopsided.png(colour: .alpha)),
            ("deep alpha PNG", try lopsided.png(colour: .deepAlpha)),
            ("alpha WebP", try lopsided.webp(colour: .alpha)),
            ("alpha GIF", try lopsided.gif(colour: .alpha)),
            ("CMYK TIFF", try lopsided.tiff(colour: .cmyk)), ("deep TIFF", try lopsided.tiff(colour: .deep)),
            ("deep alpha TIFF", try lopsided.tiff(colour: .deepAlpha)),
        ] {
            let detection = try look(bytes)
            #expect(detection.finds(lopsided.faces), "\(name): \(detection)")
        }
    }

    @Test("All colours of a picture come out as they were painted", arguments: PaintedColour.allCases)
    func values(_ colour: PaintedColour) throws {
        let isPrinted = colour == .cmyk || colour == .profiled
        let bytes = isPrinted ? try lopsided.tiff(colour: colour) : try lopsided.png(colour: colour)
        let path = try folder.file("a", bytes)
        let picture = try PictureDecoder().decode(path: path, workingSize: 960)
        try #require(picture.width == 700 && picture.pixels.count == lopsided.pixels.count)
        // The middle of a cheek: no printing ink is exact, the others are.
        let offset = (300 * 700 + 360) * 3
        let tolerance = isPrinted || colour == .grey ? 60 : 1
        for band in 0..<3 {
            let difference = Int(picture.pixels[offset + band]) - Int(lopsided.pixels[offset + band])
            #expect(abs(difference) <= tolerance)
        }
        if colour == .alpha || colour == .deepAlpha {
            // What is transparent is white.
            #expect(picture.pixels.prefix(30).allSatisfy { $0 == 255 })
        }
    }

    @Test("Of animations and documents of many pages, the first counts")
    func pages() throws {
        #expect(try look(lopsided.gif(emptyFrames: 5)).finds(lopsided.faces))
        #expect(try look(lopsided.tiff(emptyPages: 5)).finds(lopsided.faces))
    }

    @Test("A large picture's boxes are in its own pixels, not in those it was looked at")
    func large() throws {
        let picture = PaintedPicture(
            width: 3000,
            height: 2000,
            faces: [PaintedFace(x: 1800, y: 700, side: 600)],
            seed: 9
        )
        for bytes in [try picture.jpeg(), try picture.png()] {
            let detection = try look(bytes)
            #expect(detection.finds(picture.faces), "\(detection)")
        }
    }

    @Test("A picture of one pixel, or of one line, has no face")
    func tiny() throws {
        for (width, height) in [(1, 1), (1, 700), (700, 1), (19, 19)] {
            let picture = PaintedPicture(width: width, height: height)
            for bytes in [try picture.jpeg(), try picture.png(), try picture.gif()] {
                #expect(try look(bytes).faces == [], "\(width) x \(height)")
            }
        }
    }

    @Test("Nothing at all is unreadable")
    func empty() throws {
        #expect(try look([]).reason == "is empty")
    }

    @Test("A picture that was cut off is unreadable, wherever it was cut")
    func truncated() throws {
        for bytes in [
            try lopsided.jpeg(), try lopsided.png(), try lopsided.webp(), try lopsided.gif(),
            try lopsided.tiff(),
            try lopsided.heic(), try lopsided.avif(),
        ] {
            for share in [0.01, 0.5, 0.9] {
                let detection = try look(Array(bytes.prefix(Int(Double(bytes.count) * share))))
                #expect(detection.reason != nil, "\(bytes.prefix(12)) cut at \(share): \(detection)")
            }
        }
    }

    @Test(
        "Programs that pass for pictures are unreadable",
        arguments: [
            "<svg xmlns='http://www.w3.org/2000/svg' width='500' height='500'></svg>",
            "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", "%PDF-1.4\n%\u{E2}\n1 0 obj\n",
            "<html><body>Please log in</body></html>", "P6 2 2 255 aaaabbbbcccc", "GIF89", "not a picture",
        ]
    )
    func programs(_ text: String) throws {
        let reason = try #require(try look(Array(text.utf8)).reason)
        #expect(
            reason
                == "is not a JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF, JPEG XL, JPEG 2000, BMP or RAW picture"
        )
    }

    @Test("A folder, a pipe and a name that isn't there are unreadable, and nobody waits for them")
    func noFiles() throws {
        #expect(detector.look(at: folder.path).reason == "is not a regular file")
        #expect(
            detector.look(at: folder.path + "/none").reason == "can't be opened: No such file or directory"
        )
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(detector.look(at: pipe).reason == "is not a regular file")
    }

    @Test("A picture of more than a gigapixel is refused by its header")
    func bomb() throws {
        var png = try PaintedPicture(width: 8, height: 8).png()
        // IHDR starts at 8: length, type, width, height; W3C PNG, 11.2.2. Its checksum follows at 29.
        png.replaceSubrange(16..<24, with: [0, 0, 0x80, 0, 0, 0, 0x80, 0])
        png.replaceSubrange(29..<33, with: PNGChunks.checksum(png[12..<29]))
        let reason = try #require(try look(png).reason)
        #expect(reason == "has 32768 x 32768 pixels; the limit is 1000000000")
    }

    @Test("An animation whose canvas is more than a gigapixel is refused by its header, whatever its frames")
    func animatedBomb() throws {
        var gif = try PaintedPicture(width: 8, height: 8).gif(emptyFrames: 3)
        // GIF89a, section 20: an image descriptor's width and height follow its separator and its place.
        // What the logical screen says doesn't count: decoders don't believe it.
        let descriptor: [UInt8] = [0x2C, 0, 0, 0, 0, 8, 0, 8, 0]
        let frame = try #require(
            gif.indices.dropLast(descriptor.count).first {
                gif[$0..<$0 + descriptor.count].elementsEqual(descriptor)
            }
        )
        gif.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let reason = try #require(try look(gif).reason)
        #expect(reason == "has 65535 x 65535 pixels; the limit is 1000000000")
    }

    @Test("A document of very many pages costs what its first page costs")
    func manyPages() throws {
        let detection = try look(lopsided.tiff(emptyPages: 60))
        #expect(detection.finds(lopsided.faces), "\(detection)")
    }

    @Test("A progressive picture of a gigapixel is refused by its header: its coefficients take gigabytes")
    func progressiveBomb() throws {
        var jpeg = try PaintedPicture(width: 8, height: 8).jpeg(progressive: true)
        // ITU-T T.81, B.2.2: SOF2, its length, the precision, then height and width.
        let frame = try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC2 })
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x7B, 0x00, 0x7B, 0x00])
        let reason = try #require(try look(jpeg).reason)
        #expect(reason.hasPrefix("is progressive or interlaced and would need 5948964864 bytes"), "\(reason)")
    }

    @Test("A picture that says little and holds nothing costs no more than it says")
    func hollow() throws {
        // 900 megapixels announced by a few hundred bytes of PNG: under the limit, but without data.
        var png = try PaintedPicture(width: 8, height: 8).png()
        png.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
        png.replaceSubrange(29..<33, with: PNGChunks.checksum(png[12..<29]))
        #expect(try look(png).reason != nil)
    }

    @Test("A picture that must be held whole is refused where it would take more than allowed")
    func whole() throws {
        var decoder = PictureDecoder()
        decoder.limits.wholePictureBytes = 700 * 480 * 2
        for bytes in [try lopsided.jpeg(progressive: true), try lopsided.png(interlaced: true)] {
            let path = try folder.file("whole", bytes)
            #expect(throws: UnreadablePicture.self) { try decoder.decode(path: path, workingSize: 960) }
        }
        for bytes in [try lopsided.jpeg(), try lopsided.png()] {
            let path = try folder.file("strips", bytes)
            #expect(throws: Never.self) { try decoder.decode(path: path, workingSize: 960) }
        }
    }
}
