import Testing
import Vocabulary

@testable import FaceDetection

/// Faces of two looks, each once.
struct FaceMergeTests {
    private func face(_ x: Int, _ y: Int, _ side: Int, _ confidence: Double) -> Face {
        Face(x: x, y: y, width: side, height: side, confidence: confidence)
    }

    @Test("Of two boxes of one face, the surer stays, in whichever look it was found")
    func once() {
        let (a, b) = (face(100, 100, 40, 0.8), face(104, 98, 42, 0.9))
        #expect(FaceMerge.merge([a], with: [b]) == [b])
        #expect(FaceMerge.merge([b], with: [a]) == [b])
        // A part of a face is no face of its own.
        #expect(FaceMerge.merge([face(0, 0, 100, 0.9)], with: [face(30, 30, 20, 0.8)]).count == 1)
    }

    @Test("Neighbours stay, the surest first, in any number")
    func neighbours() {
        let row = (0..<50).map { face($0 * 35, 0, 40, Double($0) / 100) }
        let merged = FaceMerge.merge(row.filter { $0.x % 2 == 0 }, with: row.filter { $0.x % 2 == 1 })
        #expect(merged == row.reversed())
        #expect(FaceMerge.merge([], with: []) == [])
    }
}
