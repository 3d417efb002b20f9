import Glibc
import Vocabulary

extension Fingerprint {
    /// Creates the fingerprint of a picture; nil for one in which there is too little to be told by.
    ///
    /// It is the hash by the discrete cosine transform (DCT) of Christoph Zauner, "Implementation and Benchmarking of
    /// Perceptual Image Hash Functions" (2010), section 3.2.1, as the library pHash has it:
    ///
    /// 1. The upright picture as 32 by 32 cells of grey (``GreyCells``), whatever its shape.
    /// 2. Of its DCT (type II, in both directions) the 64 coefficients of the frequencies 1 to 8 across and 1 to 8
    ///    down; that is, without those of frequency 0, of which the first is the mean brightness.
    /// 3. A bit for each, which is 1 if it is above the median of all 64, the mean of the middle two. The first two
    ///    hexadecimal digits are those of frequency 1 down, from 1 to 8 across, the most significant bit first.
    ///
    /// What differs from there: cells are means instead of samples of a blurred picture, and all numbers are whole,
    /// with cosines rounded to 1⁄16384, so that every machine has the same bits for the same pixels.
    public init?(_ picture: Picture) {
        guard let grey = GreyCells(picture.pixels, width: picture.width, height: picture.height)
        else { return nil }
        self.init(grey)
    }

    /// Creates the fingerprint of grey cells.
    init?(_ grey: GreyCells) {
        let values = LowFrequencies.values(of: grey)
        guard values.reduce(0, { $0 + $1.magnitude }) >= LowFrequencies.least else { return nil }
        let sorted = values.sorted()
        // Half of the sum of the middle two: halves of whole numbers can't be told from those.
        let middle = sorted[values.count / 2 - 1] + sorted[values.count / 2]
        self.init(bits: values.reduce(0) { bits, value in bits << 1 | (2 * value > middle ? 1 : 0) })
    }
}

/// The lowest frequencies of grey cells in both directions, without the frequency 0.
enum LowFrequencies {
    /// The number of frequencies in each direction.
    private static let count = 8
    /// The cosines' denominator, as a power of 2.
    private static let precision = 14

    /// The least sum of all 64 magnitudes of a picture that has something to be told by: 64 times half a step of
    /// brightness, where all basis functions have the length 1.
    ///
    /// That is about what rounding pixels makes of a flat picture, and a hundredth of what photographs have.
    static let least = UInt64(64 / 2) << (2 * 14 + 8 + 4)

    /// The cosines by frequency, from 1, and cell.
    private static let cosines: [Int64] = (1...count).flatMap { frequency in
        (0..<GreyCells.side).map { cell in
            let angle = Double((2 * cell + 1) * frequency) * Double.pi / Double(2 * GreyCells.side)
            return Int64((cos(angle) * Double(1 << precision)).rounded())
        }
    }

    /// Returns the values of the frequencies from 1 on, those across first.
    static func values(of grey: GreyCells) -> [Int64] {
        let side = GreyCells.side
        // Across first: for each row of cells, a value for each frequency.
        var rows = [Int64](repeating: 0, count: side * count)
        for row in 0..<side {
            for frequency in 0..<count {
                var sum: Int64 = 0
                for cell in 0..<side {
                    sum += cosines[frequency * side + cell] * grey.cells[row * side + cell]
                }
                rows[row * count + frequency] = sum
            }
        }
        var values: [Int64] = []
        values.reserveCapacity(count * count)
        for down in 0..<count {
            for across in 0..<count {
                // At most 3.6e18: a row of cosines has magnitudes of 20.4 together, and half of them one sign.
                var sum: Int64 = 0
                for row in 0..<side { sum += cosines[down * side + row] * rows[row * count + across] }
                values.append(sum)
            }
        }
        return values
    }
}
