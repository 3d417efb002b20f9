import PaintedPictures
import TestTraits
import Testing
import Vocabulary

@testable import FaceDetection

private let painted = PaintedPicture(
    width: 700,
    height: 480,
    faces: [PaintedFace(x: 60, y: 90, side: 110), PaintedFace(x: 300, y: 140, side: 170)],
    seed: 5
)

/// Pictures that lie on their side though their files don't say so.
@Suite(.ownThread) struct TurnedLookTests {
    private let folder: TemporaryFolder
    private let haar: HaarEngine

    init() throws {
        folder = try TemporaryFolder()
        haar = try HaarEngine()
    }

    private func look(_ bytes: [UInt8], _ turned: TurnedLooks) throws -> Findings {
        let detector = FaceDetector(engine: haar, turned: turned)
        guard let seen = detector.look(at: try folder.file("picture", bytes)).seen else {
            throw UnreadablePicture("")
        }
        return seen
    }

    @Test(
        "Faces of a scan that lies on its side are found where they are in it",
        arguments: [
            (Orientation.needsClockwise, 90), (.upsideDown, 180), (.needsCounterclockwise, 270),
        ]
    )
    func lying(_ orientation: Orientation, _ angle: Int) throws {
        // As it is stored, with nothing that says how it is meant.
        let bytes = try painted.png(orientation: orientation)
        let plain = try look(bytes, .off)
        #expect(plain.faces.isEmpty && plain.turned == nil)
        let seen = try look(bytes, .auto)
        #expect(seen.turned == angle && seen.faces.count == 2 && seen.looks == plain.looks)
        #expect(seen.width == (orientation.isLying ? 480 : 700) && seen.orientation == 1)
        for face in seen.faces {
            let corners = [(face.x, face.y), (face.x + face.width - 1, face.y + face.height - 1)].map {
                orientation.upright(x: $0.0, y: $0.1, storedWidth: seen.width, storedHeight: seen.height)
            }
            let (xs, ys) = (corners.map(\.x).sorted(), corners.map(\.y).sorted())
            let upright = Face(
                x: xs[0],
                y: ys[0],
                width: xs[1] - xs[0] + 1,
                height: ys[1] - ys[0] + 1,
                confidence: 0
            )
            #expect(painted.faces.contains { upright.overlap($0) > 0.4 }, "\(face) is \(upright)")
        }
    }

    @Test("What has faces as it is, or none at all, isn't turned")
    func notTurned() throws {
        let upright = try look(try painted.png(), .auto)
        #expect(upright.turned == nil && upright.faces.count == 2)
        let empty = try look(try PaintedPicture(width: 700, height: 480, seed: 2).png(), .auto)
        #expect(empty.turned == nil && empty.faces.isEmpty)
    }

    @Test("The setting stands in the parameters, so that a change of it looks again")
    func parameters() {
        let plain = FaceDetector(engine: haar).parameters
        #expect(FaceDetector(engine: haar, turned: .auto).parameters == plain + " turned=auto")
    }

    @Test(
        "A box and its landmarks come back to the same pixels from every angle",
        arguments: TurnedLooks.angles
    )
    func back(_ angle: Int) throws {
        let (width, height) = (7, 4)
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        // A mark of 2 × 1 pixels at 3, 1.
        for x in 3..<5 { pixels[(1 * width + x) * 3 + 1] = 200 }
        let picture = Picture(pixels: pixels, width: width, height: height)
        let turned = picture.turned(by: angle)
        #expect(turned.width == (angle == 180 ? 7 : 4))
        let marked = turned.pixels.indices.filter { turned.pixels[$0] == 200 }.map { $0 / 3 }
        let xs = marked.map { $0 % turned.width }.sorted()
        let ys = marked.map { $0 / turned.width }.sorted()
        let (left, top) = (Double(xs[0]), Double(ys[0]))
        let (right, bottom) = (Double(xs[1] + 1), Double(ys[1] + 1))
        let box = EngineBox(
            x: left,
            y: top,
            width: right - left,
            height: bottom - top,
            confidence: 1,
            landmarks: [.init(x: (left + right) / 2, y: (top + bottom) / 2)]
        ).turnedBack(from: angle, in: picture)
        #expect([box.x, box.y, box.width, box.height] == [3, 1, 2, 1])
        #expect(box.landmarks == [.init(x: 4, y: 1.5)])
        // Four quarters, or two halves, are the picture again.
        let whole = angle == 180 ? turned.turned(by: 180) : turned.turned(by: 360 - angle)
        #expect(whole.pixels == pixels && whole.width == width)
    }

    @Test("facefetch-detector takes the option, and says the angle")
    func byHand() throws {
        let path = try folder.file("lying.png", try painted.png(orientation: .needsClockwise))
        let plain = try Detector(["--engine", "haar", path]).lines.first
        #expect(plain?["face_count"] as? Int == 0 && plain?["turned"] == nil)
        let turned = try Detector(["--engine", "haar", "--turned", "auto", path]).lines.first
        #expect(turned?["face_count"] as? Int == 2 && turned?["turned"] as? Int == 90, "\(turned ?? [:])")
    }
}
