/// The memory that OpenJPEG takes for what a JPEG 2000 file says of its parts, beside that for pixels.
///
/// A picture is divided into tiles, those into resolutions, those into precincts, and those into blocks, for each of
/// which it holds some hundred bytes before it reads a single pixel (ITU-T T.800, B.3 to B.7): a file of a thousand
/// bytes can have millions of them.
struct JP2Cost {
    /// The bytes for each tile and component, each precinct of a band, and each block: about what was measured.
    private static let (tileBytes, precinctBytes, blockBytes) = (4096, 512, 256)
    /// The markers that are looked at, two for each part of a tile: no real picture has as many.
    private static let mostMarkers = 1 << 18
    /// The tiles that a picture may have: OpenJPEG makes no more (A.5.1).
    private static let mostTiles = 65_535
    /// The boxes that are passed over to find the picture's data, at the most.
    private static let mostBoxes = 1024
    /// More than any limit: of numbers with more digits, reasons don't get into the event log.
    private static let endless = 999_999_999_999

    private let part: (_ offset: Int, _ count: Int) -> [UInt8]
    private var components = 0
    private var tiles = 0
    /// The size of the largest tile.
    private var (width, height) = (0, 0)
    /// The most that a tile takes whose pictures are coded in one of the ways that the file has.
    private var tileCost = 0

    /// Returns the bytes for a file whose bytes come from a function; 0 where it makes no sense, which OpenJPEG
    /// refuses itself.
    static func read(_ part: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) -> Int {
        var cost = JP2Cost(part)
        guard let start = cost.codestream() else { return 0 }
        return start == endless ? endless : cost.walk(from: start + 2)
    }

    private init(_ part: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) { self.part = part }

    private func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        guard place + count <= bytes.count else { return 0 }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The place of the picture's data: the file's beginning, or what its first box of data has; ``endless`` behind more
    /// boxes than any picture has.
    private func codestream() -> Int? {
        if part(0, 4) == [0xFF, 0x4F, 0xFF, 0x51] { return 0 }
        var offset = 0
        for _ in 0..<Self.mostBoxes {
            let head = part(offset, 16)
            guard head.count >= 8 else { return nil }
            let isLong = number(head, 0, 4) == 1
            let length = isLong ? number(head, 12, 4) : number(head, 0, 4)
            let header = isLong ? 16 : 8
            if head[4..<8].elementsEqual("jp2c".utf8) { return offset + header }
            guard length >= header else { return nil }
            offset += length
        }
        // OpenJPEG passes over any number of boxes that it doesn't know.
        return Self.endless
    }

    /// The markers that OpenJPEG knows; of all others it passes over two bytes at a time.
    private static let known: Set<Int> = [
        0xFF50, 0xFF51, 0xFF52, 0xFF53, 0xFF55, 0xFF57, 0xFF58, 0xFF59, 0xFF5C, 0xFF5D, 0xFF5E, 0xFF5F,
        0xFF60,
        0xFF61, 0xFF63, 0xFF64, 0xFF74, 0xFF75, 0xFF77, 0xFF78,
    ]

    /// Looks at the headers of the picture and of all parts of its tiles.
    private mutating func walk(from start: Int) -> Int {
        var offset = start
        var next: Int?
        var steps = 0
        while steps < Self.mostMarkers {
            steps += 1
            let head = part(offset, 12)
            guard head.count >= 4 else { break }
            let (marker, length) = (number(head, 0, 2), number(head, 2, 2))
            switch marker {
            case 0xFF90:
                let whole = number(head, 6, 4)
                next = whole == 0 ? nil : offset + whole
                offset += 2 + length
            case 0xFF93:
                // The data of a tile follow; of the last one nobody has to say where they end.
                guard let place = next, place > offset else { return sum }
                (offset, next) = (place, nil)
            case 0xFFD9: return sum
            case let marker where Self.known.contains(marker) && length >= 2:
                read(marker, part(offset + 4, min(length - 2, 64)))
                offset += 2 + length
            default: offset += 2
            }
        }
        return steps < Self.mostMarkers ? sum : Self.endless
    }

    private var sum: Int {
        let (own, isMuch) = (tiles * components).multipliedReportingOverflow(by: Self.tileBytes)
        let (all, isMore) = own.addingReportingOverflow(tileCost)
        return isMuch || isMore ? Self.endless : min(all, Self.endless)
    }

    private mutating func read(_ marker: Int, _ body: [UInt8]) {
        switch marker {
        case 0xFF51: readSize(body)
        // How all components are coded, or one of them (A.6.1, A.6.2).
        case 0xFF52: readStyle(body, style: number(body, 0, 1), from: 5)
        case 0xFF53:
            let wide = components < 257 ? 1 : 2
            readStyle(body, style: number(body, wide, 1), from: wide + 1)
        default: break
        }
    }

    /// The size of the picture and its tiles (A.5.1).
    private mutating func readSize(_ body: [UInt8]) {
        let (right, bottom) = (number(body, 2, 4), number(body, 6, 4))
        let (left, top) = (number(body, 10, 4), number(body, 14, 4))
        let (across, down) = (number(body, 18, 4), number(body, 22, 4))
        guard right > left, bottom > top, across > 0, down > 0 else { return }
        components = number(body, 34, 2)
        (width, height) = (min(across, right - left), min(down, bottom - top))
        let (firstX, firstY) = (number(body, 26, 4), number(body, 30, 4))
        func count(_ length: Int, _ side: Int) -> Int {
            min(max(1, (length + side - 1) / side), Self.mostTiles)
        }
        tiles = min(count(right - firstX, across) * count(bottom - firstY, down), Self.mostTiles)
    }

    /// Levels, blocks and precincts (table A.15, table A.20).
    private mutating func readStyle(_ body: [UInt8], style: Int, from place: Int) {
        guard body.count >= place + 5, width > 0 else { return }
        let levels = number(body, place, 1)
        guard levels <= 32 else { return }
        let (blockWidth, blockHeight) = (
            number(body, place + 1, 1) & 15 + 2, number(body, place + 2, 1) & 15 + 2
        )
        var cost = 0.0
        for level in 0...levels {
            let shift = levels - level
            let size = style & 1 == 1 ? number(body, place + 5 + level, 1) : 0xFF
            let (wide, high) = (size & 15, size >> 4)
            // At their edges, they may be cut by one more.
            func count(_ side: Int, _ exponent: Int) -> Double {
                Double(((side - 1) >> shift) >> exponent) + 2
            }
            let bands = level == 0 ? 1.0 : 3.0
            let lower = level == 0 ? 0 : 1
            cost += bands * count(width, wide) * count(height, high) * Double(Self.precinctBytes)
            cost +=
                bands * count(width, min(blockWidth + lower, wide))
                * count(height, min(blockHeight + lower, high))
                * Double(Self.blockBytes)
        }
        cost *= Double(max(1, components))
        tileCost = max(tileCost, Int(min(cost, Double(Self.endless))))
    }
}
