import Testing
import Vocabulary

@testable import FaceDetection

struct FaceFrameTests {
    private func face(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Face {
        Face(x: x, y: y, width: width, height: height, confidence: 1)
    }

    private func frame(_ face: Face, square: Bool = false) -> [Int] {
        let frame = FaceFrame(around: face, square: square, width: 1000, height: 600)
        return [frame.x, frame.y, frame.width, frame.height]
    }

    @Test("A frame has three tenths of the face's size around it, and the face in its middle")
    func margin() {
        #expect(frame(face(300, 200, 100, 200)) == [285, 170, 130, 260])
        #expect(frame(face(300, 200, 100, 200), square: true) == [220, 170, 260, 260])
    }

    @Test("At the picture's edges a frame is cut off, and a square moves inwards")
    func edges() {
        #expect(frame(face(0, 0, 100, 100)) == [0, 0, 115, 115])
        #expect(frame(face(900, 500, 100, 100)) == [885, 485, 115, 115])
        #expect(frame(face(0, 0, 100, 100), square: true) == [0, 0, 130, 130])
        #expect(frame(face(900, 500, 100, 100), square: true) == [870, 470, 130, 130])
        #expect(frame(face(0, 0, 1000, 600), square: true) == [200, 0, 600, 600])
        #expect(frame(face(999, 599, 1, 1)) == [998, 598, 2, 2])
    }

    @Test("What somebody else says of a picture is cut to the picture, or is none of it")
    func inside() {
        #expect(face(-1, 5, 10, 10).inside(width: 100, height: 100) == nil)
        #expect(face(100, 5, 10, 10).inside(width: 100, height: 100) == nil)
        #expect(face(5, 5, 0, 10).inside(width: 100, height: 100) == nil)
        let cut = face(90, 0, .max, .max).inside(width: 100, height: 50)
        #expect(cut?.width == 10 && cut?.height == 50)
    }

    @Test("Pictures are copied in full size up to a hundred megapixels, and shrunk beyond that")
    func sizes() {
        #expect(PlainCopy.side(width: 6000, height: 4000) == 6000)
        #expect(PlainCopy.side(width: 10_000, height: 10_000) == 10_000)
        #expect(PlainCopy.side(width: 30_000, height: 30_000) == 10_000)
        #expect(PlainCopy.side(width: 1_000_000, height: 10) == 65_500)
    }
}
