/// A picture as 32 by 32 grey cells, each exactly the mean of what lies in its place, whatever the picture's shape.
///
/// All sums are of whole numbers, so they are the same on every machine.
struct GreyCells {
    /// The number of cells in a row, and of rows.
    static let side = 32
    /// The brightness of white.
    static let white: Int64 = 255 << 8

    /// The brightness of the cells from 0 to ``white``, row by row.
    private(set) var cells: [Int64]

    /// Creates the cells of a picture of 8-bit red, green and blue; nil if that doesn't have so many pixels.
    init?(_ pixels: [UInt8], width: Int, height: Int) {
        guard width > 0, height > 0, pixels.count == width * height * 3 else { return nil }
        cells = Array(repeating: 0, count: Self.side * Self.side)
        let count = width * 3
        // Whole rows go into narrow sums first, which takes a quarter of the time.
        var narrow = [UInt16](repeating: 0, count: count)
        var sums = [UInt32](repeating: 0, count: count)
        for row in 0..<Self.side {
            for index in 0..<count { sums[index] = 0 }
            var whole = 0
            let span = CellSpan(row, of: height)
            for y in span.pixels {
                let part = span.part(of: y)
                let line = y * count
                pixels.withUnsafeBufferPointer { pixels in
                    if part == Self.side {
                        narrow.withUnsafeMutableBufferPointer { narrow in
                            for index in 0..<count { narrow[index] &+= UInt16(pixels[line + index]) }
                        }
                        whole += 1
                    } else {
                        let part = UInt32(part)
                        sums.withUnsafeMutableBufferPointer { sums in
                            for index in 0..<count { sums[index] &+= part &* UInt32(pixels[line + index]) }
                        }
                    }
                }
                // So many bytes fit into 16 bits.
                if whole == 256 { whole = Self.widen(&narrow, into: &sums) }
            }
            if whole > 0 { _ = Self.widen(&narrow, into: &sums) }
            add(sums, width: width, height: height, row: row)
        }
    }

    /// Moves sums of whole rows to those of parts of rows, and returns the number of rows that are left.
    private static func widen(_ narrow: inout [UInt16], into sums: inout [UInt32]) -> Int {
        let whole = UInt32(side)
        for index in narrow.indices {
            sums[index] &+= whole &* UInt32(narrow[index])
            narrow[index] = 0
        }
        return 0
    }

    /// Makes a row of cells of the sums of what lies in it, column by column.
    private mutating func add(_ sums: [UInt32], width: Int, height: Int, row: Int) {
        for column in 0..<Self.side {
            let span = CellSpan(column, of: width)
            var sum: Int64 = 0
            for x in span.pixels {
                // The brightness of red, green and blue (ITU-R BT.601), in 256ths.
                let red = Int64(sums[3 * x])
                let green = Int64(sums[3 * x + 1])
                let blue = Int64(sums[3 * x + 2])
                sum += Int64(span.part(of: x)) * (77 * red + 150 * green + 29 * blue)
            }
            cells[row * Self.side + column] = sum / (Int64(width) * Int64(height))
        }
    }
}

/// The part of a side that lies in one cell, in 32nds of a pixel, so that its ends are whole numbers.
private struct CellSpan {
    private let begin: Int
    private let end: Int

    /// Creates the span of a cell in a side of so many pixels.
    init(_ cell: Int, of length: Int) {
        begin = cell * length
        end = begin + length
    }

    /// The pixels of which something is in it.
    var pixels: ClosedRange<Int> { begin / GreyCells.side...(end - 1) / GreyCells.side }

    /// Returns how much of a pixel is in it.
    func part(of pixel: Int) -> Int {
        let first = pixel * GreyCells.side
        return min(end, first + GreyCells.side) - max(begin, first)
    }
}
