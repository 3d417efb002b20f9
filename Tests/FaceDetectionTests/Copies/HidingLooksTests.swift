import Testing
import Vocabulary

@testable import FaceDetection

/// Tests of how often, and at what, an engine looks while faces are hidden.
struct HidingLooksTests {
    /// Takes everything white for one face, as wide as all that is white.
    private final class WhiteEngine: FaceEngine {
        let name = "white"
        let parameters = ""
        let ladder = LookLadder(sizes: [100, 200], small: 4, large: 8, widest: 16)
        let seesWhatIsHidden = true
        /// True if it is sure enough of what it sees for people to be told.
        var isMentioning = true
        /// The width below which it sees nothing in a picture.
        var leastWidth = 0
        /// The sizes of what it has looked at.
        private(set) var looks: [[Int]] = []

        func confidence(at look: Int) -> Double { 0.5 }

        func possibleFaces(in picture: Picture, at look: Int) -> [PossibleFace] {
            candidates(in: picture).map {
                PossibleFace(box: $0, isCounted: isMentioning, isMentioned: isMentioning)
            }
        }

        func candidates(in picture: Picture) -> [EngineBox] {
            looks.append([picture.width, picture.height])
            guard picture.width >= leastWidth else { return [] }
            let white = (0..<picture.width * picture.height).filter { picture.pixels[$0 * 3] > 200 }
            let (columns, rows) = (white.map { $0 % picture.width }, white.map { $0 / picture.width })
            guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
                let bottom = rows.max()
            else { return [] }
            return [
                EngineBox(
                    x: Double(left),
                    y: Double(top),
                    width: Double(right - left + 1),
                    height: Double(bottom - top + 1),
                    confidence: 1
                )
            ]
        }
    }

    /// White squares on grey, each with its place and its side.
    private func picture(
        _ squares: [(x: Int, y: Int, side: Int)],
        width: Int = 200,
        height: Int = 200
    ) -> Picture {
        var pixels = [UInt8](repeating: 90, count: width * height * 3)
        for square in squares {
            for row in square.y..<square.y + square.side {
                let start = (row * width + square.x) * 3
                pixels.replaceSubrange(
                    start..<start + square.side * 3,
                    with: repeatElement(255, count: square.side * 3)
                )
            }
        }
        return Picture(pixels: pixels, width: width, height: height)
    }

    private func hide(
        _ picture: Picture,
        known: [Face] = [],
        isMentioning: Bool = true,
        leastWidth: Int = 0
    ) throws -> (looks: [[Int]], picture: Picture, seen: FacesToHide) {
        let engine = WhiteEngine()
        engine.isMentioning = isMentioning
        engine.leastWidth = leastWidth
        let detector = FaceDetector(engine: engine, smallFaces: .always)
        let (copy, seen) = try RedactedPicture.hidingFaces(
            of: picture,
            known: known,
            style: .solid,
            by: detector
        )
        return (engine.looks, copy.picture, seen)
    }

    @Test("A large face is hidden before the next look, which so sees what else there is, and isn't repeated")
    func large() throws {
        let hidden = try hide(picture([(20, 20, 40)]))
        #expect(hidden.picture.pixels.allSatisfy { $0 < 200 })
        // Both looks, and the first once more: there was no black in it.
        #expect(hidden.looks == [[100, 100], [200, 200], [100, 100]])
        #expect(hidden.seen.findings.looks == [100, 200] && hidden.seen.findings.faces.count == 1)
    }

    @Test("What looks like a large face in a large look only is hidden: copies may be looked at in one size")
    func largeInLargeLook() throws {
        let hidden = try hide(picture([(20, 20, 40)]), leastWidth: 200)
        #expect(hidden.picture.pixels.allSatisfy { $0 < 200 })
        #expect(hidden.seen.findings.faces.count == 1)
    }

    @Test("A look that can't be taken is none that may be left out where faces are hidden")
    func lacking() {
        let detector = FaceDetector(engine: WhiteEngine(), smallFaces: .always)
        #expect(throws: UnreadablePicture.tooMuchMemory) {
            try detector.facesToHide { size in
                guard size == 100 else { throw UnreadablePicture.tooMuchMemory }
                return try picture([]).shrunk(to: size)
            }
        }
    }

    @Test("A small face is looked for again near where it was, in all sizes")
    func small() throws {
        let hidden = try hide(picture([(180, 180, 10)]))
        #expect(hidden.picture.pixels.allSatisfy { $0 < 200 })
        #expect(hidden.looks.count == 4 && hidden.looks.prefix(2) == [[100, 100], [200, 200]])
        // The lower right corner: the face with its margin, and what surrounds that, from a multiple of 32 on.
        #expect(hidden.looks[3] == [104, 104])
        #expect(hidden.seen.findings.faces.count == 1)
    }

    @Test("A face that is known is hidden, wherever it is, and one of both counts once")
    func known() throws {
        let elsewhere = Face(x: 100, y: 100, width: 60, height: 60, confidence: 1)
        let same = Face(x: 18, y: 18, width: 44, height: 44, confidence: 1)
        let hidden = try hide(picture([(20, 20, 40)]), known: [elsewhere, same])
        #expect(hidden.seen.findings.faces.count == 2 && hidden.seen.doubtful.isEmpty)
        #expect(hidden.picture.pixels[(130 * 200 + 130) * 3] == 0)
        #expect(hidden.looks.count == 3)
    }

    @Test("What may look surer in a copy than it is, is hidden, and nobody is told of it")
    func unmentioned() throws {
        let hidden = try hide(picture([(20, 20, 40)]), isMentioning: false)
        #expect(hidden.picture.pixels.allSatisfy { $0 < 200 })
        #expect(hidden.seen.findings.faces.isEmpty && hidden.seen.doubtful.isEmpty)
    }

    @Test("What is larger than all looks is looked at in tiles at last, and the smallest faces are hidden")
    func tiles() throws {
        let hidden = try hide(picture([(7000, 20, 6)], width: 7680, height: 48))
        #expect(hidden.picture.pixels.allSatisfy { $0 < 200 })
        #expect(hidden.seen.findings.looks == [100, 200, 7680] && hidden.seen.findings.faces.count == 1)
        // Seven tiles, and near what was hidden, all looks once more.
        #expect(hidden.looks.count == 2 + 7 + 3 && hidden.looks.allSatisfy { $0[0] <= 1280 })
    }

    @Test("Nothing is looked at again where nothing was hidden")
    func nothing() throws {
        #expect(try hide(picture([])).looks == [[100, 100], [200, 200]])
    }
}
