/// A colour profile in the making (ICC.1:2022, 7).
struct ProfileBytes {
    var version: UInt8 = 4
    /// The class of the device.
    var device = "mntr"
    /// The space that the profile leads to.
    var connection = "XYZ "
    var tags: [String: [UInt8]] = [:]

    /// A profile with these colours, and one tone curve for all three.
    init(colours: [[Double]], curve: [UInt8]) {
        for (name, colour) in zip(["r", "g", "b"], colours) {
            tags[name + "XYZ"] = Array("XYZ \0\0\0\0".utf8) + colour.flatMap(Self.fixed)
            tags[name + "TRC"] = curve
        }
        tags["wtpt"] = Array("XYZ \0\0\0\0".utf8) + [0.9642, 1, 0.8249].flatMap(Self.fixed)
    }

    /// The colours of Display P3, adapted to D50.
    static let displayP3 = [
        [0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407],
    ]
    /// Those of Adobe RGB (1998).
    static let adobe = [
        [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
    ]
    /// Those of ROMM RGB, some of which nobody can see.
    static let romm = [[0.79767, 0.28804, 0], [0.13519, 0.71188, 0], [0.03134, 0.00009, 0.8249]]

    /// A curve with so many entries.
    static func entries(_ entries: [Int]) -> [UInt8] {
        Array("curv\0\0\0\0".utf8) + number(entries.count, 4) + entries.flatMap { number($0, 2) }
    }

    /// A curve as a formula.
    static func formula(_ kind: Int, _ numbers: [Double]) -> [UInt8] {
        Array("para\0\0\0\0".utf8) + number(kind, 2) + [0, 0] + numbers.flatMap(fixed)
    }

    /// The profile as it stands in a file.
    var bytes: [UInt8] {
        var (table, content): ([UInt8], [UInt8]) = (Self.number(tags.count, 4), [])
        for (name, tag) in tags.sorted(by: { $0.key < $1.key }) {
            table += Array(name.utf8) + Self.number(132 + 12 * tags.count + content.count, 4)
            table += Self.number(tag.count, 4)
            content += tag + [UInt8](repeating: 0, count: -tag.count & 3)
        }
        var header = Self.number(128 + table.count + content.count, 4) + Array("lcms".utf8)
        header += [version, 0, 0, 0] + Array("\(device)RGB \(connection)".utf8)
        // The date, and the signature.
        header += [2026, 1, 1, 0, 0, 0].flatMap { Self.number($0, 2) } + Array("acsp".utf8)
        header += [UInt8](repeating: 0, count: 28) + [0.9642, 1, 0.8249].flatMap(Self.fixed)
        return header + [UInt8](repeating: 0, count: 128 - header.count) + table + content
    }

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65536).rounded()), 4) }
}
