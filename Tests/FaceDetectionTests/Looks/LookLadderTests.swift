import Testing

@testable import FaceDetection

/// When a picture is looked at again, and how large.
struct LookLadderTests {
    private let ladder = LookLadder(sizes: [640, 1280, 2560, 5120], small: 20, large: 40, widest: 64)

    private func next(
        _ index: Int,
        _ size: Int,
        of fullSize: Int,
        _ widths: [Double] = [],
        certain: [Double]? = nil,
        mode: SmallFaces = .auto
    ) -> Int? {
        ladder.next(
            after: .init(
                index: index,
                size: size,
                fullSize: fullSize,
                fullPixels: fullSize * fullSize * 3 / 4,
                widths: widths,
                certainWidths: certain ?? widths
            ),
            mode: mode
        )
    }

    @Test("A picture that isn't half as large again as the look is looked at once, whatever is asked for")
    func small() {
        for size in [1, 640, 959] {
            #expect(next(0, min(size, 640), of: size, [10], mode: .always) == nil)
        }
        #expect(next(0, 640, of: 960, [10], mode: .always) == 1)
        #expect(next(1, 960, of: 960, [10], mode: .always) == nil)
    }

    @Test(
        "After the first look, a face almost too small for it is worth a larger one, and so is no large one"
    )
    func first() {
        #expect(next(0, 640, of: 4000, [200, 20]) == 1)
        #expect(next(0, 640, of: 4000, [200, 21]) == nil)
        #expect(next(0, 640, of: 4000) == 1)
        #expect(next(0, 640, of: 4000, [39]) == 1)
        #expect(next(0, 640, of: 4000, [40]) == nil)
        // What may be a small face is worth a look; what may be a large one spares none.
        #expect(next(0, 640, of: 4000, [200, 15], certain: [200]) == 1)
        #expect(next(0, 640, of: 4000, [200], certain: []) == 1)
    }

    @Test("After a larger look, small faces have to be a tenth of all, and there has to be a larger size")
    func further() {
        #expect(next(1, 1280, of: 4000) == nil)
        #expect(next(1, 1280, of: 4000, [10]) == 2)
        #expect(next(1, 1280, of: 4000, [10] + Array(repeating: 30, count: 9)) == 2)
        #expect(next(1, 1280, of: 4000, [10] + Array(repeating: 30, count: 10)) == nil)
        #expect(next(2, 2560, of: 4000, [10]) == 3)
        #expect(next(2, 2560, of: 3000, [10]) == nil)
        #expect(next(3, 5120, of: 30_000, [10], mode: .always) == nil)
    }

    @Test("Off never looks again, always does wherever there are pixels")
    func modes() {
        #expect(next(0, 640, of: 4000, [10], mode: .off) == nil)
        #expect(next(0, 640, of: 4000, [400], mode: .always) == 1)
        #expect(next(2, 2560, of: 4000, mode: .always) == 3)
        // Decoding it again would take longer than looking.
        #expect(next(0, 640, of: 30_000) == nil)
        #expect(next(0, 640, of: 30_000, mode: .always) == 1)
    }
}
