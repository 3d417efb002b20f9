import Glibc

/// The parts of a colour profile by their names (ICC.1:2022, 7.3).
struct ProfileTags {
    /// The most tags that are looked at; profiles have about 20.
    private static let most = 100
    /// The most entries of a curve; profiles have up to 4,096.
    private static let longestCurve = 1 << 14

    private let contents: [String: ArraySlice<UInt8>]

    /// Finds the tags behind a profile's header; nil if that isn't whole, or one of them is outside.
    init?(_ profile: [UInt8]) {
        var reader = ISOReader(profile.dropFirst(128))
        guard let count = reader.number(4), count <= Self.most else { return nil }
        var contents: [String: ArraySlice<UInt8>] = [:]
        for _ in 0..<count {
            guard let name = reader.bytes(4), let start = reader.number(4), let length = reader.number(4),
                start <= profile.count, length <= profile.count - start
            else { return nil }
            let tag = String(decoding: name, as: UTF8.self)
            // Of two, the first counts, as in Little CMS.
            if contents[tag] == nil { contents[tag] = profile[start..<start + length] }
        }
        self.contents = contents
    }

    /// Tells whether there is such a tag.
    func has(_ name: String) -> Bool { contents[name] != nil }

    /// Returns a colour as XYZ (XYZType).
    func colour(_ name: String) -> SIMD3<Double>? {
        guard var reader = content(of: name, "XYZ "), let x = reader.fixed(), let y = reader.fixed(),
            let z = reader.fixed()
        else { return nil }
        return [x, y, z]
    }

    /// Returns the linear light, from 0 to 1, of each of the 256 values that a colour has.
    func light(_ name: String) -> [Double]? {
        if let reader = content(of: name, "curv") { return Self.curve(reader) }
        if let reader = content(of: name, "para") { return Self.formula(reader) }
        return nil
    }

    /// Returns a tag's content behind its type, if it is of that type.
    private func content(of name: String, _ type: String) -> ISOReader? {
        guard let content = contents[name] else { return nil }
        var reader = ISOReader(content)
        guard reader.bytes(4)?.spells(type) == true, reader.number(4) != nil else { return nil }
        return reader
    }

    /// Returns the values of a curve that has one exponent, or a row of entries (curveType).
    private static func curve(_ reader: ISOReader) -> [Double]? {
        var reader = reader
        guard let count = reader.number(4), count <= longestCurve, let bytes = reader.bytes(2 * count) else {
            return nil
        }
        let entries = (0..<count).map { Double(Int(bytes[2 * $0]) << 8 | Int(bytes[2 * $0 + 1])) }
        switch count {
        case 0: return values { $0 }
        case 1: return entries[0] > 0 ? values { pow($0, entries[0] / 256) } : nil
        default:
            return values { value in
                let place = value * Double(count - 1)
                let index = min(Int(place), count - 2)
                let share = place - Double(index)
                return (entries[index] * (1 - share) + entries[index + 1] * share) / 65535
            }
        }
    }

    /// Returns the values of a curve that is given as a formula with up to seven numbers
    /// (parametricCurveType).
    private static func formula(_ reader: ISOReader) -> [Double]? {
        var reader = reader
        // The numbers of each kind: g, a, b, c, d, e and f.
        let counts = [1, 3, 4, 5, 7]
        guard let kind = reader.number(2), counts.indices.contains(kind), reader.number(2) != nil else {
            return nil
        }
        var numbers: [Double] = []
        for _ in 0..<counts[kind] {
            guard let number = reader.fixed() else { return nil }
            numbers.append(number)
        }
        let (exponent, factor, offset) = (numbers[0], kind == 0 ? 1 : numbers[1], kind == 0 ? 0 : numbers[2])
        guard exponent > 0, factor > 0 else { return nil }
        // The second kind ends at 0 and the third at its fourth number, the others go on in a straight line.
        let start = kind < 3 ? -1 : numbers[4]
        let added = kind == 2 ? numbers[3] : kind == 4 ? numbers[5] : 0
        return values { value in
            guard value >= start else { return numbers[3] * value + (kind == 4 ? numbers[6] : 0) }
            return pow(max(0, factor * value + offset), exponent) + added
        }
    }

    private static func values(_ light: (Double) -> Double) -> [Double] {
        (0..<256).map { min(max(0, light(Double($0) / 255)), 1) }
    }
}

extension ISOReader {
    /// Returns a number with 16 bits behind the point (s15Fixed16Number).
    fileprivate mutating func fixed() -> Double? {
        number(4).map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
    }
}
