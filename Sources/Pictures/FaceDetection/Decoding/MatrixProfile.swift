import Glibc

/// A colour profile that has a tone curve and a colour for each of red, green and blue, and nothing else to go by
/// (ICC.1:2022, three-component matrix-based profiles): that of nearly every camera, telephone and screen.
///
/// Little CMS takes longer to prepare for such a profile than a thumbnail takes otherwise, and it can't prepare
/// before it has the profile. This differs from it by at most 2 of 255.
struct MatrixProfile {
    /// The tables by which a profile is applied, of which the one for the relative colorimetric intent, and
    /// that for all intents, come before curves and colours.
    private static let tables = ["A2B0", "A2B1", "D2B0", "D2B1"]
    /// The share of each colour in linear sRGB: the inverse of the colours of sRGB (IEC 61966-2-1), adapted to
    /// the white D50 that profiles go by.
    private static let fromXYZ: [SIMD3<Double>] = [
        [3.1338561, -1.6168667, -0.4906146],
        [-0.9787684, 1.9161415, 0.0334540],
        [0.0719453, -0.2289914, 1.4052427],
    ]
    /// No colour of a screen has a share so large; the sum of three is still a number.
    private static let largestShare = Double(1 << 28)

    /// The shares that each of the 256 values of red has in linear red, green and blue of sRGB, with those of
    /// green and blue behind, in steps of ``SRGBCurve``.
    private let shares: [SIMD4<Int32>]

    /// Reads a profile of colours in red, green and blue; nil if it is of another kind.
    init?(_ profile: [UInt8]) {
        guard profile.count >= 128,
            // Versions 2 and 4, of a device or of a space that pictures are kept in, by way of XYZ (7.2).
            (2...4).contains(profile[8]),
            ["mntr", "scnr", "spac"].contains(where: { profile[12..<16].elementsEqual($0.utf8) }),
            profile[20..<24].elementsEqual("XYZ ".utf8),
            let tags = ProfileTags(profile), !Self.tables.contains(where: tags.has)
        else { return nil }
        var shares: [SIMD4<Int32>] = []
        for name in ["r", "g", "b"] {
            guard let colour = tags.colour(name + "XYZ"), let light = tags.light(name + "TRC") else {
                return nil
            }
            let share = Self.fromXYZ.map { ($0 * colour).sum() * Double(SRGBCurve.brightest) }
            for value in light {
                let steps = share.map { share in
                    let steps = (share * value).rounded()
                    return Int32(min(max(-Self.largestShare, steps), Self.largestShare))
                }
                shares.append([steps[0], steps[1], steps[2], 0])
            }
        }
        self.shares = shares
    }

    /// Returns the same colours in sRGB: red, green and blue with 8 bits each.
    func converted(_ pixels: [UInt8]) -> [UInt8] {
        let darkest = SIMD4<Int32>(repeating: 0)
        let brightest = SIMD4<Int32>(repeating: Int32(SRGBCurve.brightest))
        return [UInt8](unsafeUninitializedCapacity: pixels.count) { colours, filled in
            shares.withUnsafeBufferPointer { shares in
                SRGBCurve.values.withUnsafeBufferPointer { curve in
                    while filled + 3 <= pixels.count {
                        let sum =
                            shares[Int(pixels[filled])] &+ shares[256 + Int(pixels[filled + 1])]
                            &+ shares[512 + Int(pixels[filled + 2])]
                        let light = sum.clamped(lowerBound: darkest, upperBound: brightest)
                        colours[filled] = curve[Int(light.x)]
                        colours[filled + 1] = curve[Int(light.y)]
                        colours[filled + 2] = curve[Int(light.z)]
                        filled += 3
                    }
                }
            }
        }
    }
}

/// The tone curve of sRGB, from linear light to 8 bits (IEC 61966-2-1).
enum SRGBCurve {
    /// The step of linear light that is white; between two of the 256 values there are at least four.
    static let brightest = 1 << 14

    /// The value of each step.
    static let values: [UInt8] = {
        var values: [UInt8] = []
        for value in 0..<255 {
            // It is nearer than the next one up to here.
            let end = light((Double(value) + 0.5) / 255) * Double(brightest)
            values += repeatElement(UInt8(value), count: Int(end.rounded(.up)) - values.count)
        }
        return values + repeatElement(255, count: brightest + 1 - values.count)
    }()

    private static func light(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}
