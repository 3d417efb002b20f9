import CPictures
import Vocabulary

/// A BMP file, which is read here: libvips has no loader of its own for it.
///
/// Bitmaps of Windows and OS/2 with 1 to 32 bits a pixel, with a palette, masks or run lengths. Rows are read
/// as they lie in the file, and nothing is held but the picture.
struct BitmapFile {
    /// The lengths of the headers that are known, of which the first two are OS/2's.
    static let headers = [12, 64, 40, 52, 56, 108, 124]

    private let part: (_ offset: Int, _ count: Int) -> [UInt8]
    private let fileLength: Int
    private let width: Int
    private let height: Int
    private let isTopDown: Bool
    private let depth: Int
    private let compression: Int
    private let start: Int
    private var masks: [UInt32] = []
    private var palette: [[UInt8]] = []

    /// Reads a picture.
    ///
    /// - Throws: ``UnreadablePicture`` if it is cut off, of an unknown kind, or larger than the limits allow.
    static func read(_ file: FileBytes, limits: PictureLimits) throws(UnreadablePicture) -> VipsImageBox {
        try read(file.part, length: file.length, limits: limits)
    }

    /// Reads a picture out of so many bytes, which come from a function: from an offset on so many, or fewer at
    /// their end.
    static func read(
        _ part: @escaping (_ offset: Int, _ count: Int) -> [UInt8],
        length: Int,
        limits: PictureLimits
    ) throws(UnreadablePicture) -> VipsImageBox {
        try BitmapFile(part, length: length).image(limits)
    }

    private static var strange: UnreadablePicture {
        UnreadablePicture("is a BMP of a kind that nobody writes")
    }
    private static var cutOff: UnreadablePicture { UnreadablePicture("is a BMP that is cut off") }

    private init(
        _ part: @escaping (_ offset: Int, _ count: Int) -> [UInt8],
        length: Int
    ) throws(UnreadablePicture) {
        let head = part(0, 14 + 124)
        func number(_ place: Int, _ count: Int) -> Int {
            guard place + count <= head.count else { return 0 }
            return head[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard head.count >= 26 else { throw Self.cutOff }
        let size = number(14, 4)
        guard Self.headers.contains(size) else { throw Self.strange }
        guard head.count >= 14 + size else { throw Self.cutOff }
        (self.part, fileLength, start) = (part, length, number(10, 4))
        let isCore = size == 12
        width = isCore ? number(18, 2) : Int(Int32(truncatingIfNeeded: number(18, 4)))
        let rows = isCore ? number(20, 2) : Int(Int32(truncatingIfNeeded: number(22, 4)))
        (height, isTopDown) = (abs(rows), rows < 0)
        depth = number(isCore ? 24 : 28, 2)
        compression = isCore ? 0 : number(30, 4)
        guard width > 0, height > 0 else { throw Self.strange }
        let isKnown =
            switch compression {
            case 0: [1, 2, 4, 8, 16, 24, 32].contains(depth)
            case 1: depth == 8 && size != 64
            case 2: depth == 4 && size != 64
            case 3, 6: [16, 32].contains(depth) && size != 64
            default: false
            }
        guard isKnown else { throw Self.strange }
        // Of the oldest header with masks, these stand behind it.
        var table = 14 + size
        if compression == 3 || compression == 6 {
            masks = (0..<3).map { UInt32(number(54 + 4 * $0, 4)) }
            if size == 40 { table += compression == 3 ? 12 : 16 }
        } else if depth == 16 {
            masks = [0x7C00, 0x3E0, 0x1F]
        } else if depth == 32 {
            masks = [0xFF0000, 0xFF00, 0xFF]
        }
        guard masks.allSatisfy({ $0 != 0 }) else { throw Self.strange }
        if depth <= 8 {
            let (used, entry) = (isCore ? 0 : number(46, 4), isCore ? 3 : 4)
            let count = used > 0 && used <= 1 << depth ? used : 1 << depth
            // Some files say where the pixels begin, and have fewer colours before that.
            let room = start > table ? min(count, (start - table) / entry) : 0
            let bytes = part(table, room * entry)
            guard bytes.count == room * entry else { throw Self.cutOff }
            palette = (0..<room).map { index in
                [bytes[index * entry + 2], bytes[index * entry + 1], bytes[index * entry]]
            }
        }
        guard start >= table else { throw Self.strange }
    }

    private func image(_ limits: PictureLimits) throws(UnreadablePicture) -> VipsImageBox {
        let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
        guard !overflows, pixels <= limits.pixels else { throw limits.tooManyPixels(width, height) }
        let stride = (width * depth + 31) / 32 * 4
        // The picture, and a row of the file beside it.
        guard pixels * 3 + stride <= limits.wholePictureBytes else {
            throw UnreadablePicture(
                "is a BMP that would need \(pixels * 3 + stride) bytes of memory; the limit is "
                    + "\(limits.wholePictureBytes)"
            )
        }
        let isPacked = compression == 1 || compression == 2
        if isPacked {
            // Two bytes are at most 255 pixels.
            guard pixels / 255 <= max(0, fileLength - start) else {
                throw UnreadablePicture(
                    "is a BMP of \(width) x \(height) pixels, more than its data can have"
                )
            }
        } else if fileLength - start < stride * height - (stride - (width * depth + 7) / 8) {
            throw Self.cutOff
        }
        guard let memory = g_try_malloc0(gsize(pixels * 3)) else {
            throw UnreadablePicture("takes more memory than there is")
        }
        let target = UnsafeMutableBufferPointer(
            start: memory.assumingMemoryBound(to: UInt8.self),
            count: pixels * 3
        )
        let isWhole = isPacked ? unpack(into: target) : copy(stride, into: target)
        guard isWhole else {
            g_free(memory)
            throw Self.cutOff
        }
        let image = try VipsImageBox(
            taking: CVips_image_of_memory(memory, Int32(width), Int32(height), 3)
        )
        return try image.applying { CVips_reinterpret($0, $1, VIPS_INTERPRETATION_sRGB) }
    }

    /// The place of a row of the file in the picture, from the top; rows go from the bottom up otherwise.
    private func place(_ row: Int) -> Int { (isTopDown ? row : height - 1 - row) * width * 3 }

    /// Copies rows as they are; false if they end too soon.
    private func copy(_ stride: Int, into target: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        let scales = masks.map(Channel.init)
        let needed = (width * depth + 7) / 8
        for row in 0..<height {
            let bytes = part(start + row * stride, stride)
            guard bytes.count >= needed else { return false }
            var place = place(row)
            for column in 0..<width {
                switch depth {
                case 24:
                    for colour in 0..<3 { target[place + colour] = bytes[column * 3 + 2 - colour] }
                case 16, 32:
                    let size = depth / 8
                    let value = (0..<size).reversed().reduce(UInt32(0)) {
                        $0 << 8 | UInt32(bytes[column * size + $1])
                    }
                    for colour in 0..<3 { target[place + colour] = scales[colour].value(in: value) }
                default:
                    let bit = column * depth
                    let index = Int(bytes[bit / 8]) >> (8 - depth - bit % 8) & (1 << depth - 1)
                    put(index, at: place, in: target)
                }
                place += 3
            }
        }
        return true
    }

    private func put(_ index: Int, at place: Int, in target: UnsafeMutableBufferPointer<UInt8>) {
        // A colour that isn't in the palette is black, as everywhere.
        guard palette.indices.contains(index) else { return }
        for colour in 0..<3 { target[place + colour] = palette[index][colour] }
    }

    /// Undoes run lengths (BI_RLE8, BI_RLE4); false if they end before the picture does.
    private func unpack(into target: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        // What no run reaches has the first colour.
        for place in stride(from: 0, to: target.count, by: 3) { self.put(0, at: place, in: target) }
        var stream = Stream(part: part, place: start)
        var (row, column) = (0, 0)
        func put(_ index: Int) {
            if column < width, row < height { self.put(index, at: place(row) + column * 3, in: target) }
            column += 1
        }
        while row < height {
            guard let count = stream.next(), let value = stream.next() else { return false }
            if count > 0 {
                for step in 0..<count { put(depth == 8 ? value : step % 2 == 0 ? value >> 4 : value & 15) }
                continue
            }
            switch value {
            case 0: (row, column) = (row + 1, 0)
            case 1: return true
            case 2:
                guard let across = stream.next(), let up = stream.next() else { return false }
                (row, column) = (row + up, column + across)
            default:
                // So many pixels as they are, filled up to two bytes.
                let length = depth == 8 ? value : (value + 1) / 2
                var byte = 0
                for step in 0..<value {
                    if depth == 8 || step % 2 == 0 {
                        guard let next = stream.next() else { return false }
                        byte = next
                    }
                    put(depth == 8 ? byte : step % 2 == 0 ? byte >> 4 : byte & 15)
                }
                if length % 2 == 1, stream.next() == nil { return false }
            }
        }
        return true
    }

    /// One colour of a pixel: where its bits are, and how they become eight.
    private struct Channel {
        private let shift: UInt32
        private let most: UInt32

        init(mask: UInt32) {
            shift = UInt32(mask.trailingZeroBitCount)
            most = mask >> shift
        }

        func value(in pixel: UInt32) -> UInt8 {
            let value = UInt64(pixel >> shift & most)
            return UInt8((value * 255 + UInt64(most) / 2) / UInt64(most))
        }
    }

    /// The bytes of a file from a place on, read in pieces.
    private struct Stream {
        let part: (_ offset: Int, _ count: Int) -> [UInt8]
        var place: Int
        private var piece: [UInt8] = []
        private var index = 0

        init(part: @escaping (_ offset: Int, _ count: Int) -> [UInt8], place: Int) {
            (self.part, self.place) = (part, place)
        }

        mutating func next() -> Int? {
            if index == piece.count {
                piece = part(place, 1 << 16)
                (place, index) = (place + piece.count, 0)
            }
            guard index < piece.count else { return nil }
            index += 1
            return Int(piece[index - 1])
        }
    }
}
