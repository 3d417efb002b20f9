/// Kinds of BMP files.
public enum BitmapKind: String, CaseIterable, Sendable {
    /// Red, green and blue with 8 bits each, from the bottom up.
    case plain
    /// The same from the top down.
    case topDown
    /// With a byte more for each pixel.
    case wide
    /// 5, 6 and 5 bits, by masks.
    case masks
    /// 5 bits each, without masks.
    case short
    /// 256 greys.
    case palette
    /// 16 greys.
    case nibbles
    /// 256 greys in runs.
    case runs
    /// 16 greys in runs.
    case shortRuns
    /// Black and white.
    case bits
    /// With OS/2's first header.
    case core
    /// With the newest header.
    case newest

    /// True if it has greys alone.
    public var isGrey: Bool { [.palette, .nibbles, .runs, .shortRuns, .bits].contains(self) }
}

extension PaintedPicture {
    /// Encodes as BMP.
    public func bmp(_ kind: BitmapKind = .plain) -> [UInt8] {
        let rows: [[UInt8]] = (0..<height).map { row(kind, $0) }
        let ordered: [[UInt8]] = kind == .topDown ? rows : rows.reversed()
        let isPacked = kind == .runs || kind == .shortRuns
        let data: [UInt8] = Array(ordered.joined()) + (isPacked ? [0, 1] : [])
        let depth = depth(of: kind)
        let colours = kind.isGrey ? 1 << depth : 0
        let palette = (0..<colours).flatMap { index -> [UInt8] in
            let grey = UInt8(index * 255 / max(1, colours - 1))
            return [grey, grey, grey, 0]
        }
        let size = kind == .core ? 12 : kind == .newest ? 124 : 40
        let masks: [UInt8] = kind == .masks ? [0xF800, 0x7E0, 0x1F].flatMap { Self.number($0, 4) } : []
        let compression = kind == .masks ? 3 : kind == .runs ? 1 : kind == .shortRuns ? 2 : 0
        let start = 14 + size + masks.count + palette.count
        var bytes = Array("BM".utf8) + Self.number(start + data.count, 4) + Self.number(0, 4)
        bytes += Self.number(start, 4) + Self.number(size, 4)
        if kind == .core {
            bytes +=
                Self.number(width, 2) + Self.number(height, 2) + Self.number(1, 2) + Self.number(depth, 2)
        } else {
            bytes += Self.number(width, 4) + Self.number(kind == .topDown ? -height : height, 4)
            bytes += Self.number(1, 2) + Self.number(depth, 2) + Self.number(compression, 4)
            bytes += Self.number(data.count, 4) + Self.number(2835, 4) + Self.number(2835, 4)
            bytes += Self.number(colours, 4) + Self.number(0, 4)
            bytes += [UInt8](repeating: 0, count: size - 40)
        }
        return bytes + masks + palette + data
    }

    private func depth(of kind: BitmapKind) -> Int {
        switch kind {
        case .plain, .topDown, .core, .newest: 24
        case .wide: 32
        case .masks, .short: 16
        case .palette, .runs: 8
        case .nibbles, .shortRuns: 4
        case .bits: 1
        }
    }

    private func row(_ kind: BitmapKind, _ row: Int) -> [UInt8] {
        let line: [[Int]] = (0..<width).map { column in
            (0..<3).map { Int(pixels[(row * width + column) * 3 + $0]) }
        }
        var bytes: [UInt8] = []
        switch kind {
        case .plain, .topDown, .core, .newest:
            bytes = line.flatMap { [UInt8($0[2]), UInt8($0[1]), UInt8($0[0])] }
        case .wide: bytes = line.flatMap { [UInt8($0[2]), UInt8($0[1]), UInt8($0[0]), 0] }
        case .masks:
            bytes = line.flatMap { Self.number(($0[0] >> 3) << 11 | ($0[1] >> 2) << 5 | $0[2] >> 3, 2) }
        case .short:
            bytes = line.flatMap { Self.number(($0[0] >> 3) << 10 | ($0[1] >> 3) << 5 | $0[2] >> 3, 2) }
        case .palette, .nibbles, .runs, .shortRuns, .bits:
            let greys = line.map { ($0[0] * 3 + $0[1] * 6 + $0[2]) / 10 }
            return grey(kind, greys)
        }
        return Self.filled(bytes)
    }

    private func grey(_ kind: BitmapKind, _ greys: [Int]) -> [UInt8] {
        switch kind {
        case .runs, .shortRuns:
            let isShort = kind == .shortRuns
            var (bytes, place) = ([UInt8](), 0)
            while place < greys.count {
                let value = isShort ? greys[place] >> 4 : greys[place]
                var count = 1
                while place + count < greys.count, count < 255,
                    (isShort ? greys[place + count] >> 4 : greys[place + count]) == value
                {
                    count += 1
                }
                bytes += [UInt8(count), UInt8(isShort ? value << 4 | value : value)]
                place += count
            }
            return bytes + [0, 0]
        case .palette: return Self.filled(greys.map { UInt8($0) })
        default:
            let depth = depth(of: kind)
            let each = 8 / depth
            let bytes = stride(from: 0, to: greys.count, by: each).map { start in
                (0..<each).reduce(UInt8(0)) { byte, index in
                    let grey = start + index < greys.count ? greys[start + index] : 0
                    return byte << UInt8(depth % 8) | UInt8(grey >> (8 - depth))
                }
            }
            return Self.filled(bytes)
        }
    }

    private static func filled(_ row: [UInt8]) -> [UInt8] {
        row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
    }

    private static func number(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
