/// Pixels of a picture that can be changed: red, green and blue, 8 bits each.
struct PixelCanvas {
    /// A colour, 0 to 255 each.
    typealias Colour = (Double, Double, Double)

    let pixels: UnsafeMutableBufferPointer<UInt8>
    let width: Int
    let height: Int

    /// Gives each pixel of a part of the picture another colour; `colour` gets its place in that part.
    func fill(_ frame: FaceFrame, _ colour: (Int, Int) -> Colour) {
        for y in 0..<frame.height {
            for x in 0..<frame.width {
                let (red, green, blue) = colour(x, y)
                let offset = ((frame.y + y) * width + frame.x + x) * 3
                pixels[offset] = UInt8(clamping: Int(red.rounded()))
                pixels[offset + 1] = UInt8(clamping: Int(green.rounded()))
                pixels[offset + 2] = UInt8(clamping: Int(blue.rounded()))
            }
        }
    }

    /// Makes a part of the picture black.
    func blacken(_ frame: FaceFrame) {
        for y in frame.y..<frame.y + frame.height {
            let start = (y * width + frame.x) * 3
            UnsafeMutableBufferPointer(rebasing: pixels[start..<start + frame.width * 3]).update(repeating: 0)
        }
    }

    /// The mean colour of a part.
    func mean(x: Range<Int>, y: Range<Int>) -> Colour {
        var (red, green, blue) = (0, 0, 0)
        for row in y {
            for column in x {
                let offset = (row * width + column) * 3
                red += Int(pixels[offset])
                green += Int(pixels[offset + 1])
                blue += Int(pixels[offset + 2])
            }
        }
        let count = Double(max(1, x.count * y.count))
        return (Double(red) / count, Double(green) / count, Double(blue) / count)
    }
}

/// A part of a picture as squares, of each of which only the mean colour is kept.
struct Mosaic {
    private let part: Int
    private let columns: Int
    private let rows: Int
    private let means: [PixelCanvas.Colour]

    /// Takes the means of squares of `part` pixels a side.
    init(of frame: FaceFrame, part: Int, in canvas: PixelCanvas) {
        self.part = part
        let (columns, rows) = ((frame.width + part - 1) / part, (frame.height + part - 1) / part)
        (self.columns, self.rows) = (columns, rows)
        means = (0..<columns * rows).map { index in
            let (x, y) = (index % columns * part, index / columns * part)
            return canvas.mean(
                x: frame.x + x..<frame.x + min(x + part, frame.width),
                y: frame.y + y..<frame.y + min(y + part, frame.height)
            )
        }
    }

    /// The colour of the square that a pixel is in.
    func square(_ x: Int, _ y: Int) -> PixelCanvas.Colour { mean(x / part, y / part) }

    /// The colour between the middles of the four squares around a pixel.
    func smooth(_ x: Int, _ y: Int) -> PixelCanvas.Colour {
        let (across, down) = ((Double(x) + 0.5) / Double(part) - 0.5, (Double(y) + 0.5) / Double(part) - 0.5)
        let (left, top) = (Int(across.rounded(.down)), Int(down.rounded(.down)))
        let (u, v) = (across - Double(left), down - Double(top))
        let (a, b) = (mean(left, top), mean(left + 1, top))
        let (c, d) = (mean(left, top + 1), mean(left + 1, top + 1))
        func mix(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
            (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v
        }
        return (mix(a.0, b.0, c.0, d.0), mix(a.1, b.1, c.1, d.1), mix(a.2, b.2, c.2, d.2))
    }

    private func mean(_ column: Int, _ row: Int) -> PixelCanvas.Colour {
        means[min(max(0, row), rows - 1) * columns + min(max(0, column), columns - 1)]
    }
}
