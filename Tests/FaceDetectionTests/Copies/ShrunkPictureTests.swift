import Testing

@testable import FaceDetection

struct ShrunkPictureTests {
    /// From dark to bright: red from left to right, green from top to bottom.
    private let slope: Picture = {
        let (width, height) = (397, 301)
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                pixels.append(UInt8(x * 255 / (width - 1)))
                pixels.append(UInt8(y * 255 / (height - 1)))
                pixels.append(0)
            }
        }
        return Picture(pixels: pixels, width: width, height: height)
    }()

    @Test(
        "A smaller picture has everything in its place, however much smaller it is",
        arguments: [37, 100, 198, 250, 396],
        [ShimCall.Shrinking.looks, .means]
    )
    func places(side: Int, shrinking: ShimCall.Shrinking) throws {
        let small = try slope.shrunk(to: side, by: shrinking)
        #expect(small.width == side && small.height == Int((301.0 * Double(side) / 397).rounded()))
        #expect(small.fullWidth == 397 && small.fullHeight == 301)
        var furthest = 0.0
        for y in 0..<small.height {
            for x in 0..<small.width {
                let red: Double = (Double(x) + 0.5) / Double(small.width) * 255
                let green: Double = (Double(y) + 0.5) / Double(small.height) * 255
                let offset = (y * small.width + x) * 3
                let (isRed, isGreen) = (Double(small.pixels[offset]), Double(small.pixels[offset + 1]))
                furthest = max(furthest, abs(isRed - red), abs(isGreen - green))
            }
        }
        // In 256ths of the picture.
        #expect(furthest < 7)
    }

    @Test(
        "For people each pixel is the mean of what lies in its place, and parts of pixels count by their size"
    )
    func means() throws {
        // Five columns become two: each has two whole ones and half of the middle one; three rows become one.
        let row: [UInt8] = [10, 20, 30, 40, 50].flatMap { [$0, 2 * $0, 0] }
        let picture = Picture(pixels: row + row.map { $0 + 3 } + row.map { $0 + 6 }, width: 5, height: 3)
        let small = try ShimCall.shrink(picture, width: 2, height: 1, by: .means)
        // (10 + 20 + 15) / 2.5 and (15 + 40 + 50) / 2.5, and the mean of 0, 3 and 6.
        #expect(small == [21, 39, 3, 45, 87, 3])
        for (width, height) in [(397, 1), (1, 301), (1, 1), (396, 300), (397, 301)] {
            let even = Picture(pixels: [UInt8](repeating: 255, count: 397 * 301 * 3), width: 397, height: 301)
            let pixels = try ShimCall.shrink(even, width: width, height: height, by: .means)
            #expect(pixels.count == width * height * 3 && pixels.allSatisfy { $0 == 255 })
        }
        #expect(throws: UnreadablePicture.self) {
            try ShimCall.shrink(picture, width: 6, height: 1, by: .means)
        }
    }

    @Test("A picture that is small enough stays as it is")
    func small() throws {
        #expect(try slope.shrunk(to: 397).pixels == slope.pixels)
    }
}
