import Foundation
import Glibc
import PaintedPictures
import TestSupport
import TestTraits
import Testing
import Vocabulary

@testable import FaceDetection

private let shown = PaintedPicture(
    width: 900,
    height: 600,
    faces: [PaintedFace(x: 80, y: 120, side: 150), PaintedFace(x: 420, y: 200, side: 220)],
    seed: 7
)
/// The picture that the first page shows.
private let stamp = PaintedPicture(width: 160, height: 120, seed: 8)

/// Tests of what cameras record.
@Suite(.ownThread) struct RawPreviewTests {
    private let folder: TemporaryFolder
    private let detector: FaceDetector

    init() throws {
        folder = try TemporaryFolder()
        detector = FaceDetector(engine: try HaarEngine())
    }

    private func look(_ bytes: [UInt8]) throws -> Detection {
        detector.look(at: try folder.file("picture", bytes))
    }

    /// A file whose preview lies as the camera was held, and doesn't say so itself.
    private func file(_ kind: PaintedRaw, _ orientation: Orientation = .upright) throws -> [UInt8] {
        let lying = orientation.isLying
        let preview = try shown.plainJPEG(orientation: orientation)
        return kind.file(
            preview: preview,
            width: lying ? 600 : 900,
            height: lying ? 900 : 600,
            first: stamp,
            orientation: orientation
        )
    }

    @Test(
        "A RAW file is looked at by its preview, upright as the camera was held",
        arguments: PaintedRaw.allCases,
        [Orientation.upright, .upsideDown, .needsClockwise, .needsCounterclockwise]
    )
    func preview(_ kind: PaintedRaw, _ orientation: Orientation) throws {
        let detection = try look(try file(kind, orientation))
        #expect(detection.finds(shown.faces), "\(detection)")
        let seen = try #require(detection.seen)
        #expect(seen.width == 900 && seen.height == 600)
        #expect(seen.orientation == orientation.rawValue && seen.format == .raw)
    }

    @Test("A preview that says itself how it lies is believed")
    func ownOrientation() throws {
        let preview = try shown.jpeg(orientation: .needsClockwise)
        let bytes = PaintedRaw.nef.file(
            preview: preview,
            width: 600,
            height: 900,
            first: stamp,
            orientation: .needsClockwise
        )
        #expect(try look(bytes).finds(shown.faces))
    }

    @Test("A preview that the camera has turned isn't turned again")
    func turnedPreview() throws {
        let tall = PaintedPicture(
            width: 600,
            height: 900,
            faces: [PaintedFace(x: 120, y: 200, side: 220)],
            seed: 9
        )
        let bytes = PaintedRaw.dng.file(
            preview: try tall.plainJPEG(),
            width: 600,
            height: 900,
            first: stamp,
            orientation: .needsClockwise,
            isWide: true
        )
        let detection = try look(bytes)
        #expect(detection.finds(tall.faces) && detection.seen?.orientation == 1, "\(detection)")
    }

    @Test("Without a preview that is large enough, the file says so", arguments: PaintedRaw.allCases)
    func tooSmall(_ kind: PaintedRaw) throws {
        let words = "is a RAW file without a preview of at least 640 pixels; the largest has "
        let none = kind.file(preview: nil, width: 0, height: 0, first: stamp)
        #expect(try look(none).reason == words + "160 x 120")
        let small = try PaintedPicture(width: 639, height: 400).jpeg()
        let bytes = kind.file(preview: small, width: 639, height: 400, first: stamp)
        #expect(try look(bytes).reason == words + "639 x 400")
    }

    @Test("A preview of pixels is looked at, too")
    func pixels() throws {
        let bytes = PaintedRaw.dng.file(preview: nil, width: 0, height: 0, first: shown)
        let detection = try look(bytes)
        #expect(detection.finds(shown.faces) && detection.seen?.format == .raw, "\(detection)")
    }

    @Test("A file that is longer than any camera's is refused by its length")
    func tooLong() throws {
        var decoder = PictureDecoder()
        decoder.limits.rawFileBytes = 100_000
        let path = try folder.file("long", try file(.dng))
        let error = #expect(throws: UnreadablePicture.self) {
            try decoder.decode(path: path, workingSize: 960)
        }
        #expect(error?.description.hasPrefix("is a RAW file of ") == true)
        #expect(error?.description.hasSuffix(" bytes; the limit is 100000") == true)
    }

    @Test(
        "What begins like a camera's file and is none is unreadable",
        arguments: [
            "FUJIFILMCCD-RAW 0201FF129502X100", "IIU\0\u{18}\0\0\0", "MMOR\0\0\0\u{8}", "FOVb\0\0\u{2}\0",
            "\0\0\0\u{18}ftypcrx \0\0\0\u{1}crx isom", "II\u{1A}\0\0\0HEAPCCDR\u{2}\0\u{1}\0",
        ]
    )
    func programs(_ text: String) throws {
        let bytes = text.unicodeScalars.map { UInt8($0.value) } + [UInt8](repeating: 0, count: 4000)
        #expect(PictureFormat(signature: Array(bytes.prefix(16))) == .raw)
        let reason = try #require(try look(bytes).reason)
        #expect(reason.hasPrefix("is a RAW file"), "\(reason)")
    }

    @Test("A preview that claims a gigabyte is refused", arguments: PaintedRaw.allCases)
    func claims(_ kind: PaintedRaw) throws {
        let preview = try shown.plainJPEG()
        var bytes = kind.file(preview: preview, width: 900, height: 600, first: stamp)
        // The entry of the directory that says how long the preview is: tag, type, count, value.
        let tag = kind == .dng ? 279 : 514
        let entry = [UInt8(tag & 0xFF), UInt8(tag >> 8), 4, 0, 1, 0, 0, 0]
        let length = (0..<4).map { UInt8(preview.count >> ($0 * 8) & 0xFF) }
        let places = bytes.ranges(of: entry + length)
        try #require(places.count == 1)
        bytes.replaceSubrange(places[0].lowerBound + 8..<places[0].upperBound, with: [0, 0, 0, 0x40])
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let before = usage.ru_maxrss
        let reason = try #require(try look(bytes).reason)
        #expect(reason.hasPrefix("is a RAW file"), "\(reason)")
        // In KiB; other tests take some meanwhile.
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #expect(usage.ru_maxrss - before < 512 << 10)
    }

    @Test("A file that was cut off, or changed anywhere, is read or unreadable, and nothing else")
    func damaged() throws {
        var generator = SeededGenerator(seed: 41)
        for kind in PaintedRaw.allCases {
            let whole = try file(kind)
            for _ in 0..<60 {
                var bytes = whole
                // Directories come last.
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: 0..<600, using: &generator)
                    bytes[bytes.count - 1 - place] = .random(in: 0...255, using: &generator)
                }
                if Bool.random(using: &generator) {
                    bytes.removeLast(Int.random(in: 0...bytes.count / 2, using: &generator))
                }
                let detection = try look(bytes)
                if let seen = detection.seen { #expect(seen.width > 0 && seen.height > 0) }
            }
        }
    }
}
