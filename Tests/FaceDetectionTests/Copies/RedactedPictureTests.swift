import Testing
import Vocabulary

@testable import FaceDetection

struct RedactedPictureTests {
    /// A picture in which no two pixels near each other are equal.
    private let picture = Picture(
        pixels: (0..<120 * 90 * 3).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ $0 / 360 &* 31) },
        width: 120,
        height: 90,
        fullWidth: 240,
        fullHeight: 180,
        orientation: 6,
        format: .jpeg
    )
    /// In pixels of the picture as it is hidden in: 40 to 60 and 30 to 50, with the margin 37 to 63 and 27 to 53.
    private let face = Face(x: 80, y: 60, width: 40, height: 40, confidence: 1)

    private func colours(_ picture: Picture, inside: Bool) -> [[UInt8]] {
        (0..<picture.width * picture.height).filter { index in
            let (x, y) = (index % picture.width, index / picture.width)
            return (37..<63).contains(x) && (27..<53).contains(y) == true && inside
                || !((37..<63).contains(x) && (27..<53).contains(y)) && !inside
        }.map { Array(picture.pixels[$0 * 3..<$0 * 3 + 3]) }
    }

    @Test("A face is black with a margin around it, and nothing else is changed")
    func solid() {
        let hidden = RedactedPicture(picture, faces: [face], style: .solid).picture
        #expect(Set(colours(hidden, inside: true)) == [[0, 0, 0]])
        #expect(colours(hidden, inside: false) == colours(picture, inside: false))
        #expect(hidden.fullWidth == 240 && hidden.width == 120 && hidden.orientation == 6)
    }

    @Test("A mosaic has three by three colours, a blur more, and both become coarser, and black in the end")
    func coarse() {
        var mosaic = RedactedPicture(picture, faces: [face], style: .mosaic)
        #expect(Set(colours(mosaic.picture, inside: true)).count <= 9)
        #expect(Set(colours(mosaic.picture, inside: true)).count > 4)
        #expect(colours(mosaic.picture, inside: false) == colours(picture, inside: false))
        mosaic.hideMore([face])
        #expect(Set(colours(mosaic.picture, inside: true)).count <= 4)
        mosaic.hideMore([face])
        #expect(Set(colours(mosaic.picture, inside: true)) == [[0, 0, 0]])

        var blur = RedactedPicture(picture, faces: [face], style: .blur)
        #expect(colours(blur.picture, inside: false) == colours(picture, inside: false))
        #expect(colours(blur.picture, inside: true) != colours(picture, inside: true))
        blur.hideMore([face], inBlack: true)
        #expect(Set(colours(blur.picture, inside: true)) == [[0, 0, 0]])
    }

    @Test("What is seen elsewhere afterwards is hidden as well, also at the picture's edge")
    func more() {
        var hidden = RedactedPicture(picture, faces: [face], style: .mosaic)
        let before = hidden.picture
        hidden.hideMore([Face(x: 230, y: 170, width: 10, height: 10, confidence: 0.3)])
        #expect(colours(hidden.picture, inside: true) == colours(before, inside: true))
        #expect(hidden.picture.pixels.suffix(3) != before.pixels.suffix(3))
    }
}
