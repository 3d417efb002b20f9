/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2), of which HEIC and AVIF files consist.
struct ISOBox {
    let type: [UInt8]
    /// The length in bytes, the header included.
    let length: Int
    /// The length of the header.
    let start: Int
    /// The content, with the indices of the bytes that it was read from.
    let content: ArraySlice<UInt8>

    /// The number of boxes to look at in one place.
    private static let most = 4096
    /// The length of metadata in bytes up to which they are read; a picture of many tiles has thousands.
    private static let mostMetadata = 4 << 20

    /// Reads the box that the bytes begin with; nil if there is none, or if it has to be whole and isn't.
    init?(_ bytes: ArraySlice<UInt8>, isWhole: Bool) {
        var reader = ISOReader(bytes)
        guard let short = reader.number(4), let type = reader.bytes(4) else { return nil }
        var (length, start) = (short, 8)
        if short == 1 {
            guard let high = reader.number(4), let low = reader.number(4), high < 1 << 20 else { return nil }
            (length, start) = (high << 32 | low, 16)
        }
        guard length >= start, !isWhole || length <= bytes.count else { return nil }
        (self.type, self.length, self.start) = (type, length, start)
        content = bytes.dropFirst(start).prefix(length - start)
    }

    /// Returns the boxes that follow each other in these bytes, as far as they are whole.
    static func all(in bytes: ArraySlice<UInt8>) -> [ISOBox] {
        var (boxes, rest): ([ISOBox], ArraySlice<UInt8>) = ([], bytes)
        while let box = ISOBox(rest, isWhole: true) {
            boxes.append(box)
            rest = rest.dropFirst(box.length)
        }
        return boxes
    }

    /// The place of a file's metadata (ISO/IEC 14496-12, 8.11.1).
    enum Metadata {
        /// The content behind its version and flags, and the distance from the file's start to the byte from
        /// which its offsets are counted.
        case found(ArraySlice<UInt8>, offset: Int)
        /// The file's boxes follow each other to its end, and none is metadata.
        case none
        /// The file makes no sense.
        case unclear
    }

    /// Finds the metadata of a file whose bytes come from a function: from an offset on so many, or fewer at
    /// its end.
    static func metadata(_ part: (_ offset: Int, _ count: Int) -> [UInt8]) -> Metadata {
        var offset = 0
        for _ in 0..<most {
            let bytes = part(offset, 16)
            if bytes.isEmpty { return offset == 0 ? .unclear : .none }
            guard let header = ISOBox(bytes[...], isWhole: false) else { return .unclear }
            if header.type.spells("meta") {
                guard header.length <= mostMetadata else { return .unclear }
                let box = part(offset, header.length)
                guard box.count == header.length else { return .unclear }
                return .found(box[header.start...].dropFirst(4), offset: offset)
            }
            guard header.length > 0, offset <= Int.max - header.length else { return .unclear }
            offset += header.length
        }
        return .unclear
    }
}

/// Takes numbers and bytes from the front.
struct ISOReader {
    /// The bytes that are left.
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Returns a number of so many bytes, the highest first.
    mutating func number(_ count: Int) -> Int? { bytes(count)?.reduce(0) { $0 << 8 | Int($1) } }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}

extension [UInt8] {
    func spells(_ word: String) -> Bool { elementsEqual(word.utf8) }
}
