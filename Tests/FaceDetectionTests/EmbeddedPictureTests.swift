import Foundation
import PaintedPictures
import TestTraits
import Testing

@testable import FaceDetection

private let shown = PaintedPicture(
    width: 900,
    height: 600,
    faces: [PaintedFace(x: 80, y: 120, side: 150), PaintedFace(x: 420, y: 200, side: 220)],
    seed: 7
)
/// Half as large, as a smaller version of it would be, and of something else.
private let other = PaintedPicture(width: 450, height: 300, seed: 8)

/// Files that hold more than one picture.
@Suite(.ownThread) struct EmbeddedPictureTests {
    private let folder: TemporaryFolder
    private let detector: FaceDetector

    init() throws {
        folder = try TemporaryFolder()
        detector = FaceDetector(engine: try HaarEngine())
    }

    private func look(_ bytes: [UInt8]) throws -> Detection {
        detector.look(at: try folder.file("picture", bytes))
    }

    /// Returns whether a picture is the one that is to be shown, in any size up to a wanted one.
    private func decodes(_ bytes: [UInt8], at size: Int) throws -> Bool {
        let path = try folder.file("picture", bytes)
        let picture = try PictureDecoder().decode(path: path, workingSize: size)
        let plain = try PictureDecoder().decode(
            path: try folder.file("plain", shown.png()),
            workingSize: size
        )
        guard picture.width == plain.width, picture.height == plain.height, picture.fullWidth == 900 else {
            return false
        }
        let difference = zip(picture.pixels, plain.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return difference < 8 * plain.pixels.count
    }

    @Test(
        "A picture is looked at, never the thumbnail beside it, however large that is",
        arguments: [100, 450, 960]
    )
    func thumbnail(_ size: Int) throws {
        for bytes in [
            HEIFBoxes.embedding(try other.avif(), in: try shown.avif(quality: 90)),
            HEIFBoxes.embedding(try other.heic(), in: try shown.heic(quality: 90)),
        ] {
            #expect(try decodes(bytes, at: size))
            let detection = try look(bytes)
            #expect(detection.finds(shown.faces), "\(detection)")
        }
    }

    @Test("A thumbnail that is damaged is no concern")
    func damagedThumbnail() throws {
        var bytes = HEIFBoxes.embedding(try other.avif(), in: try shown.avif())
        let length = bytes.count
        bytes.replaceSubrange(length - 300..<length - 20, with: [UInt8](repeating: 0x55, count: 280))
        #expect(try look(bytes).finds(shown.faces))
    }

    @Test(
        "Of pages, the first is looked at, and a second one half as large is not",
        arguments: [100, 450, 960]
    )
    func halfPage(_ size: Int) throws {
        let bytes = PaintedTIFF.file([.init(shown), .init(other)])
        #expect(try decodes(bytes, at: size))
        #expect(try look(bytes).finds(shown.faces))
    }

    @Test("A page that says that it is a smaller version, or a mask, is passed over")
    func smallFirst() throws {
        #expect(try decodes(PaintedTIFF.file([.init(other, kind: 1), .init(shown)]), at: 450))
        #expect(
            try decodes(
                PaintedTIFF.file([.init(other, kind: 4), .init(other, kind: 3), .init(shown)]),
                at: 960
            )
        )
        var first = PaintedTIFF.Page(other, kind: 1)
        first.subpages = [.init(other, kind: 1), .init(shown)]
        #expect(try decodes(PaintedTIFF.file([first]), at: 450))
        // Where nothing else is there, it is the picture.
        #expect(try decodes(PaintedTIFF.file([.init(shown, kind: 1), .init(other, kind: 1)]), at: 450))
    }

    @Test("Directories that make no sense, or follow each other in a ring, end somewhere")
    func rings() throws {
        let whole = PaintedTIFF.file([.init(other, kind: 1), .init(other, kind: 1)])
        // The last directory's link comes last: to the first one, to itself, and beyond the file.
        let first = Array(whole[4..<8])
        for link in [first, [0xFF, 0xFF, 0xFF, 0xFF], [8, 0, 0, 0]] {
            let pages = TIFFPages { offset, count in
                Array((whole.dropLast(4) + link).dropFirst(offset).prefix(count))
            }
            #expect(pages?.place == TIFFPages.Place())
        }
        #expect(TIFFPages { _, _ in [] } == nil)
        #expect(TIFFPages { _, count in [UInt8](repeating: 0xFF, count: count) } == nil)
    }

    @Test(
        "HEIC and AVIF are turned alike, whatever order their properties are listed in",
        arguments: Orientation.allCases
    )
    func turnedFirst(_ orientation: Orientation) throws {
        for bytes in [
            try shown.heic(orientation: orientation, isTurnedFirst: true),
            try shown.avif(orientation: orientation, isTurnedFirst: true),
        ] {
            let detection = try look(bytes)
            #expect(detection.finds(shown.faces), "\(orientation): \(detection)")
            #expect(detection.seen?.orientation == orientation.rawValue)
            #expect(detection.seen?.width == 900 && detection.seen?.height == 600)
        }
    }

    @Test("Of an animation the still picture is looked at; one without says so")
    func animation() throws {
        let still = try shown.avif()
        #expect(try look(HEIFBoxes.animated(still)).finds(shown.faces))
        let turned = try shown.avif(orientation: .needsClockwise, isTurnedFirst: true)
        #expect(try look(HEIFBoxes.animated(turned)).finds(shown.faces))
        let reason = try look(HEIFBoxes.animated(still, isStill: false)).reason
        #expect(reason == "is an animation without a still picture, and those are not read")
    }

    @Test("Kinds of TIFF that libvips doesn't read are read, with their orientation")
    func otherTIFFs() throws {
        var planes = PaintedTIFF.Page.planes(shown)
        #expect(try decodes(PaintedTIFF.file([planes]), at: 450))
        #expect(try look(PaintedTIFF.file([planes])).finds(shown.faces))
        planes.tags[274] = .short([6])
        let turned = try look(PaintedTIFF.file([planes]))
        #expect(turned.seen?.orientation == 6 && turned.seen?.width == 600 && turned.seen?.height == 900)
        // Without a marker of Adobe's, as the scanners of that time wrote it, and with half the colours.
        let old = PaintedTIFF.Page.oldJPEG(try shown.jpeg(quality: 85), width: 900, height: 600)
        #expect(try look(PaintedTIFF.file([old])).finds(shown.faces))
        // What can't be decoded whole is refused, by either way.
        var lost = PaintedTIFF.Page.planes(shown)
        lost.pieces.removeLast()
        #expect(try look(PaintedTIFF.file([lost])).reason != nil)
    }

    @Test("A TIFF that has to be decoded as a whole is refused where it would take more than allowed")
    func wholeTIFF() throws {
        var decoder = PictureDecoder()
        decoder.limits.wholePictureBytes = 900 * 600 * 4 - 1
        let path = try folder.file("planes", PaintedTIFF.file([PaintedTIFF.Page.planes(shown)]))
        let error = #expect(throws: UnreadablePicture.self) {
            try decoder.decode(path: path, workingSize: 960)
        }
        #expect(error?.description.hasSuffix("2160000 bytes of memory; the limit is 2159999") == true)
    }
}
