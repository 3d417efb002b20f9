import PaintedPictures
import Testing
import Vocabulary

@testable import FaceDetection

/// An engine that sees what it is told, to look at looks without looking.
private struct ScriptedEngine: FaceEngine {
    let name = "scripted"
    let parameters = "p"
    let ladder = LookLadder(sizes: [100, 200, 400], small: 20, large: 40, widest: 64)
    /// The boxes that are seen at each size.
    let seen: [Int: [EngineBox]]

    func candidates(in picture: Picture) throws(UnreadablePicture) -> [EngineBox] {
        seen[picture.width] ?? []
    }

    func confidence(at look: Int) -> Double { 0.7 }
}

struct LookTests {
    private func picture(_ size: Int, of full: Int) -> Picture {
        Picture(
            pixels: [],
            width: size,
            height: size,
            fullWidth: full,
            fullHeight: full,
            orientation: 3,
            format: .webp
        )
    }

    private func box(_ x: Double, _ width: Double, _ confidence: Double) -> EngineBox {
        EngineBox(x: x, y: x, width: width, height: width, confidence: confidence)
    }

    private func look(_ seen: [Int: [EngineBox]], of full: Int, _ mode: SmallFaces = .auto) throws -> Findings
    {
        try FaceDetector(engine: ScriptedEngine(seen: seen), smallFaces: mode).look { size in
            picture(min(size, full), of: full)
        }
    }

    @Test("A larger look judges anew what was almost too small, and adds nothing large")
    func again() throws {
        let seen = [
            // One that is large, one that is found again, one that is none, and one not sure of.
            100: [box(50, 30, 0.9), box(10, 10, 0.8), box(30, 8, 0.75), box(90, 5, 0.6)],
            200: [box(20, 20, 0.95), box(180, 10, 0.8), box(100, 65, 0.9), box(60, 16, 0.6)],
        ]
        let findings = try look(seen, of: 240)
        #expect(findings.looks == [100, 200])
        #expect(findings.faces.map(\.width) == [24, 72, 12])
        #expect(findings.orientation == 3 && findings.format == .webp && findings.width == 240)
        // Its boxes are at full resolution, whichever look they are of.
        #expect(findings.faces.map(\.x) == [24, 120, 216])
        #expect(try look(seen, of: 240, .off).faces.count == 3)
    }

    @Test("Looks go on while they pay, and as far as the picture has pixels")
    func sizes() throws {
        #expect(try look([:], of: 120).looks == [100])
        #expect(try look([:], of: 1000).looks == [100, 200])
        #expect(try look([:], of: 1000, .always).looks == [100, 200, 400])
        #expect(try look([:], of: 150, .always).looks == [100, 150])
        #expect(try look([100: [box(1, 50, 0.9)]], of: 1000).looks == [100])
    }

    @Test("A picture that is another one at the second look is not counted")
    func changed() {
        let detector = FaceDetector(engine: ScriptedEngine(seen: [:]))
        var full = 1000
        #expect(throws: UnreadablePicture.self) {
            try detector.look { size in
                full += 1
                return picture(size, of: full)
            }
        }
    }

    @Test("What decides what is found is known before a picture is looked at")
    func parameters() {
        let engine = ScriptedEngine(seen: [:])
        #expect(FaceDetector(engine: engine, smallFaces: .off).parameters == "p small-faces=off")
        #expect(FaceDetector(engine: engine).parameters == "p small-faces=auto rule=4")
    }

    @Test("Landmarks are in pixels of the whole picture, and never outside of it")
    func landmarks() throws {
        var face = box(10, 40, 0.9)
        face.landmarks = [(20, 20), (30, 20), (25, 30), (-5, 40), (30, 400)].map { .init(x: $0.0, y: $0.1) }
        let found = try look([100: [face]], of: 200).faces
        #expect(
            found.first?.landmarks?.map { [$0.x, $0.y] } == [
                [40, 40], [60, 40], [50, 60], [0, 80], [60, 200],
            ]
        )
    }
}
