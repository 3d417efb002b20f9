/// The orientation of a JPEG XL picture, which its decoder applies.
enum JXLOrientation {
    /// The bytes that are looked at of a picture's data: its header has fewer.
    private static let length = 32
    /// The boxes that are passed over to find it, at the most.
    private static let mostBoxes = 64

    /// Returns EXIF's number for the orientation in a file whose bytes come from a function; nil if it makes no
    /// sense.
    static func read(_ part: (_ offset: Int, _ count: Int) -> [UInt8]) -> Int? {
        guard let start = codestream(part) else { return nil }
        var bits = Bits(part(start, length))
        // The size (ISO/IEC 18181-1, D.2).
        guard bits.number(8) == 0xFF, bits.number(8) == 0x0A, let isSmall = bits.number(1) else { return nil }
        func side(_ bits: inout Bits) -> Bool {
            if isSmall == 1 { return bits.number(5) != nil }
            guard let choice = bits.number(2) else { return false }
            return bits.number([9, 13, 18, 30][choice]) != nil
        }
        guard side(&bits), let ratio = bits.number(3) else { return nil }
        if ratio == 0, !side(&bits) { return nil }
        // The metadata (D.3.1): all as usual, or further fields of which the orientation is the first.
        guard let isUsual = bits.number(1) else { return nil }
        if isUsual == 1 { return 1 }
        guard let hasMore = bits.number(1) else { return nil }
        return hasMore == 1 ? bits.number(3).map { $0 + 1 } : 1
    }

    /// The place of the picture's data: the file's beginning, or what its first box of data has.
    private static func codestream(_ part: (_ offset: Int, _ count: Int) -> [UInt8]) -> Int? {
        if part(0, 2) == [0xFF, 0x0A] { return 0 }
        var offset = 0
        for _ in 0..<mostBoxes {
            let head = part(offset, 16)
            guard head.count >= 8 else { return nil }
            let name = String(decoding: head[4..<8], as: UTF8.self)
            let short = head[..<4].reduce(0) { $0 << 8 | Int($1) }
            let header = short == 1 ? 16 : 8
            if name == "jxlc" { return offset + header }
            // Its data come in parts, each with a number.
            if name == "jxlp" { return offset + header + 4 }
            guard short != 0, head.count == 16 else { return nil }
            let length =
                short == 1 ? head[8...].reduce(0) { ($0 & 0x3F_FFFF_FFFF_FFFF) << 8 | Int($1) } : short
            guard length >= header else { return nil }
            let (next, isTooFar) = offset.addingReportingOverflow(length)
            if isTooFar { return nil }
            offset = next
        }
        return nil
    }

    /// Bits from the lowest of the first byte on.
    private struct Bits {
        private let bytes: [UInt8]
        private var place = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func number(_ count: Int) -> Int? {
            guard place + count <= bytes.count * 8 else { return nil }
            var number = 0
            for bit in 0..<count {
                let place = place + bit
                number |= Int(bytes[place / 8] >> UInt8(place % 8) & 1) << bit
            }
            place += count
            return number
        }
    }
}
