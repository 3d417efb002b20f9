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
        arguments: [37, 100, 198, 250, 396]
    )
    func places(side: Int) throws {
        let small = try slope.shrunk(to: side)
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

    @Test("A picture that is small enough stays as it is")
    func small() throws {
        #expect(try slope.shrunk(to: 397).pixels == slope.pixels)
    }
}
