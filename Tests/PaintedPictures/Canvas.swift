/// Red, green and blue, 8 bits each, to paint on.
struct Canvas {
    let width: Int
    let height: Int
    private(set) var pixels: [UInt8]

    /// A wall lit from the left, with a grain that depends on the seed.
    init(width: Int, height: Int, seed: UInt64) {
        self.width = width
        self.height = height
        var random = SplitMix64(seed: seed)
        let tint = Int(random.next() % 24)
        pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { buffer, count in
            var offset = 0
            for row in 0..<height {
                for column in 0..<width {
                    let light = 150 - column * 50 / max(1, width) - row * 20 / max(1, height)
                    let grain = Int(random.next() & 7)
                    buffer[offset] = UInt8(clamping: light + grain + tint)
                    buffer[offset + 1] = UInt8(clamping: light + grain)
                    buffer[offset + 2] = UInt8(clamping: light + grain - tint)
                    offset += 3
                }
            }
            count = offset
        }
    }

    /// Mixes a colour into an ellipse, fully inside and fading over the outer share `softness`.
    mutating func ellipse(
        x: Double,
        y: Double,
        radiusX: Double,
        radiusY: Double,
        colour: Colour,
        strength: Double = 1,
        softness: Double = 0.2
    ) {
        let rows = max(0, Int(y - radiusY))..<max(0, min(height, Int(y + radiusY) + 2))
        let columns = max(0, Int(x - radiusX))..<max(0, min(width, Int(x + radiusX) + 2))
        guard !rows.isEmpty, !columns.isEmpty else { return }
        let (width, inner) = (width, 1 - softness)
        pixels.withUnsafeMutableBufferPointer { buffer in
            for row in rows {
                let down = (Double(row) - y) / radiusY
                for column in columns {
                    let across = (Double(column) - x) / radiusX
                    let distance = (across * across + down * down).squareRoot()
                    guard distance < 1 else { continue }
                    let share = strength * min(1, (1 - distance) / max(0.001, 1 - inner))
                    let offset = (row * width + column) * 3
                    buffer[offset] = colour.red.mixed(into: buffer[offset], share)
                    buffer[offset + 1] = colour.green.mixed(into: buffer[offset + 1], share)
                    buffer[offset + 2] = colour.blue.mixed(into: buffer[offset + 2], share)
                }
            }
        }
    }
}

/// A colour in red, green and blue, 0 to 255.
struct Colour {
    var red: Double
    var green: Double
    var blue: Double
}

extension Double {
    fileprivate func mixed(into old: UInt8, _ share: Double) -> UInt8 {
        UInt8(clamping: Int((Double(old) * (1 - share) + self * share).rounded()))
    }
}
