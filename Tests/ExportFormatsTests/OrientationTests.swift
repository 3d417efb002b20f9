import Testing

@testable import ExportFormats

@Suite("Coordinates of the file from those of the upright picture")
struct OrientationTests {
    /// Turns the pixels of a file upright, by EXIF's words for each value: where its first row and its first
    /// column are.
    private static func upright(_ pixels: [[Int]], _ orientation: Orientation) -> [[Int]] {
        let mirrored = { (rows: [[Int]]) in rows.map { Array($0.reversed()) } }
        let upsideDown = { (rows: [[Int]]) in Array(rows.reversed()) }
        let transposed = { (rows: [[Int]]) in rows[0].indices.map { column in rows.map { $0[column] } } }
        return switch orientation {
        case .upright: pixels
        case .mirrored: mirrored(pixels)
        case .upsideDown: mirrored(upsideDown(pixels))
        case .mirroredUpsideDown: upsideDown(pixels)
        case .transposed: transposed(pixels)
        case .clockwise: mirrored(transposed(pixels))
        case .transversed: mirrored(upsideDown(transposed(pixels)))
        case .counterclockwise: upsideDown(transposed(pixels))
        }
    }

    private static func pixels(of picture: [[Int]], in box: Box) -> Set<Int> {
        Set(picture[box.y..<box.y + box.height].flatMap { $0[box.x..<box.x + box.width] })
    }

    @Test("a box has the same pixels in the file", arguments: Orientation.allCases)
    func keepsPixels(_ orientation: Orientation) {
        let file = (0..<5).map { row in (0..<7).map { row * 7 + $0 } }
        let upright = Self.upright(file, orientation)
        let size = Size(width: upright[0].count, height: upright.count)
        #expect(orientation.stored(size) == Size(width: 7, height: 5))
        for x in 0..<size.width {
            for y in 0..<size.height {
                let box = Box(x: x, y: y, width: min(2, size.width - x), height: min(3, size.height - y))
                let stored = orientation.stored(box, in: size)
                #expect(Self.pixels(of: file, in: stored) == Self.pixels(of: upright, in: box))
            }
        }
    }

    @Test("a point goes where a box without a size would", arguments: Orientation.allCases)
    func turnsPoints(_ orientation: Orientation) {
        let size = Size(width: 70, height: 50)
        let point = orientation.stored(x: 12, y: 34, in: size)
        let box = orientation.stored(Box(x: 12, y: 34, width: 0, height: 0), in: size)
        #expect(point == (Double(box.x), Double(box.y)))
    }

    @Test("a value that EXIF doesn't have counts as upright", arguments: [nil, 0, 9, -1] as [Int?])
    func takesOthersForUpright(_ value: Int?) {
        #expect(Orientation(exif: value) == .upright)
    }

    @Test("a box that sticks out is cut, and keeps at least a pixel")
    func clamps() {
        let size = Size(width: 100, height: 80)
        #expect(
            Box(x: -5, y: 70, width: 20, height: 20).clamped(to: size)
                == Box(x: 0, y: 70, width: 15, height: 10)
        )
        #expect(
            Box(x: 500, y: -50, width: 20, height: 20).clamped(to: size)
                == Box(x: 99, y: 0, width: 1, height: 1)
        )
        #expect(
            Box(x: 1, y: 1, width: .max, height: .max).clamped(to: size)
                == Box(x: 1, y: 1, width: 99, height: 79)
        )
    }
}
