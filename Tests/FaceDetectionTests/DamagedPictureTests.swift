import PaintedPictures
import TestTraits
import Testing

@testable import FaceDetection

@Suite(.ownThread) struct DamagedPictureTests {
    private let folder: TemporaryFolder
    private let detector: FaceDetector
    private let painted = PaintedPicture(
        width: 600,
        height: 800,
        faces: [PaintedFace(x: 200, y: 60, side: 200)]
    )

    init() throws {
        folder = try TemporaryFolder()
        detector = FaceDetector(engine: try HaarEngine())
    }

    private func look(_ bytes: [UInt8]) throws -> Detection {
        detector.look(at: try folder.file("a.jpg", bytes))
    }

    /// A JPEG with a marker for a new beginning (ITU-T T.81, table B.1, RST) that says something else: the first
    /// one behind a share of its length.
    private func jpeg(saying bytes: [UInt8], at share: Double) throws -> [UInt8] {
        var jpeg = try painted.restartingJPEG(every: 4)
        let marker = jpeg.indices.dropFirst(Int(Double(jpeg.count) * share)).first { place in
            place + 1 < jpeg.count && jpeg[place] == 0xFF && (0xD0...0xD7).contains(jpeg[place + 1])
        }
        let place = try #require(marker)
        jpeg.replaceSubrange(place..<place + bytes.count, with: bytes)
        return jpeg
    }

    @Test(
        "A JPEG that is whole but for some of its data is looked at, and said to be damaged",
        arguments: [[0xFF, 0xD9], [0xFF, 0xC8], [0xFF, 0xE3]] as [[UInt8]]
    )
    func damaged(_ bytes: [UInt8]) throws {
        let whole = try #require(try look(painted.restartingJPEG(every: 4)).findings)
        #expect(!whole.isDamaged && whole.faces.count == 1)
        let damaged = try #require(try look(try jpeg(saying: bytes, at: 0.8)).findings)
        #expect(damaged.isDamaged && damaged.width == 600 && damaged.height == 800)
        // The face lies above the damage.
        #expect(damaged.faces.count == 1)
        // What cameras add behind a picture is no part of it.
        let added = try jpeg(saying: bytes, at: 0.8) + [UInt8](repeating: 1, count: 5000)
        #expect(try look(added).findings?.isDamaged == true)
    }

    @Test("One that was cut off is unreadable, also behind damage")
    func cut() throws {
        let damaged = try jpeg(saying: [0xFF, 0xE3], at: 0.5)
        for share in [0.6, 0.9, 0.999] {
            let cut = Array(damaged.prefix(Int(Double(damaged.count) * share)))
            #expect(try look(cut).findings == nil, "\(share)")
        }
    }

    @Test("The end of a JPEG is the end of its last scan, and not that of a picture in its head")
    func end() {
        let (start, end, data): ([UInt8], [UInt8], [UInt8]) = ([0xFF, 0xDA], [0xFF, 0xD9], [1, 0xFF, 0, 2])
        #expect(JPEGEnd.isThere(in: start + data + end))
        #expect(JPEGEnd.isThere(in: start + data + end + [0, 0xFF, 0]))
        #expect(!JPEGEnd.isThere(in: start + data + end + start + data))
        #expect(!JPEGEnd.isThere(in: data) && !JPEGEnd.isThere(in: [0xFF]) && !JPEGEnd.isThere(in: []))
    }

    @Test("By hand, a line says so, and the other lines have no such key")
    func line() throws {
        _ = try folder.file("a.jpg", try jpeg(saying: [0xFF, 0xC8], at: 0.8))
        _ = try folder.file("b.jpg", try painted.restartingJPEG(every: 4))
        let lines = try Detector(["a.jpg", "b.jpg"], in: folder.path).lines
        #expect(lines.first?["damaged"] as? Bool == true && lines.first?["face_count"] as? Int == 1)
        #expect(lines.count == 2 && lines[1]["damaged"] == nil)
    }
}

extension Detection {
    fileprivate var findings: Findings? {
        guard case .counted(let findings) = self else { return nil }
        return findings
    }
}
