import Testing
import Vocabulary

@testable import FaceDetection

/// Tests of when a picture is looked at again, and how large.
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

    @Test(
        "A picture that isn't half as large again as the look is looked at again for a crowd, or if it is asked for"
    )
    func small() {
        for size in [1, 640] { #expect(next(0, size, of: size, [10, 10, 10], mode: .always) == nil) }
        #expect(next(0, 640, of: 641, mode: .always) == 1)
        #expect(next(1, 960, of: 960, [10], mode: .always) == nil)
        #expect(next(0, 640, of: 960, [10]) == 1)
        #expect(next(0, 640, of: 959, [10, 10]) == nil)
        #expect(next(0, 640, of: 959, [10, 20, 15]) == 1)
        #expect(next(0, 640, of: 959, [10, 21, 15]) == nil)
        // A crowd is of faces that are sure.
        #expect(next(0, 640, of: 959, [10, 20, 15], certain: [10, 20]) == nil)
        // Of those, too, there have to be enough in a larger look.
        #expect(next(2, 2560, of: 3000, [10, 20, 15]) == 3)
        #expect(next(2, 2560, of: 3000, [10, 20, 15] + Array(repeating: 30, count: 40)) == nil)
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

    /// Returns the tiled look that follows a look at a picture with these sides.
    private func tiles(
        _ index: Int,
        of full: (Int, Int),
        _ widths: [Double] = [],
        mode: SmallFaces = .auto
    ) -> LookLadder.Tiles? {
        ladder.tiles(
            after: .init(
                index: index,
                size: min(ladder.sizes[index], max(full.0, full.1)),
                fullSize: max(full.0, full.1),
                fullPixels: full.0 * full.1,
                widths: widths,
                certainWidths: widths
            ),
            mode: mode
        )
    }

    @Test(
        "What is much larger than all looks is looked at in tiles, with as many pixels as there is time for"
    )
    func tiles() {
        // Where the largest look says that it pays.
        #expect(tiles(3, of: (12_000, 9000), [10])?.size == 12_000)
        #expect(tiles(3, of: (12_000, 9000), [30]) == nil)
        #expect(tiles(2, of: (12_000, 9000), [10]) == nil)
        #expect(tiles(3, of: (7000, 7000), [10]) == nil)
        #expect(tiles(3, of: (12_000, 9000), [10], mode: .off) == nil)
        // All of that is looked at, and of a giant a sample, whatever was seen of it.
        #expect(tiles(3, of: (12_000, 9000), [10])?.isSampled == false)
        let giant = tiles(2, of: (31_600, 31_600))
        #expect(giant?.isSampled == true)
        #expect((11_000...11_600).contains(giant?.size ?? 0))
        #expect(tiles(0, of: (31_600, 31_600)) == nil)
        // However it is shaped, a strip of it can be held.
        #expect(tiles(2, of: (1_000_000, 1000))?.size == 32_768)
        #expect(tiles(3, of: (31_600, 31_600), mode: .always) == .init(size: 16_384, isSampled: false))
        // What is asked for is looked at in full size, if that is larger than the largest look at all.
        #expect(tiles(3, of: (5121, 4000), mode: .always) == .init(size: 5121, isSampled: false))
        #expect(tiles(3, of: (5120, 4000), mode: .always) == nil)
    }

    @Test("A giant gets one look between the first one and that in tiles, where the first says that it pays")
    func giants() {
        func next(_ index: Int, _ widths: [Double], hasTiles: Bool = true) -> Int? {
            ladder.next(
                after: .init(
                    index: index,
                    size: ladder.sizes[index],
                    fullSize: 31_600,
                    fullPixels: 31_600 * 31_600,
                    widths: widths,
                    certainWidths: widths
                ),
                mode: .auto,
                hasTiles: hasTiles
            )
        }
        #expect(next(0, []) == 2 && next(0, [10]) == 2)
        #expect(next(0, [300]) == nil)
        #expect(next(2, [10]) == nil)
        #expect(next(0, [], hasTiles: false) == nil)
    }
}
