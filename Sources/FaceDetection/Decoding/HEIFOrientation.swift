import Glibc

/// Reads how a HEIC or AVIF picture is turned by the properties of its primary item.
///
/// libheif applies those properties, and neither it nor libvips says what they are. Programs that keep
/// places in such a picture count from its pixels as they lie in the file, as with EXIF. An orientation in
/// EXIF is for information only in this format (ISO/IEC 23008-12, A.2), and libheif ignores it as well.
enum HEIFOrientation {
    /// The number of boxes to look at in one place.
    private static let mostBoxes = 4096
    /// The length of metadata in bytes up to which they are read; a picture of many tiles has thousands.
    private static let mostMetadata = 4 << 20

    /// Returns the orientation as the value of EXIF (tag 0x0112); nil if the file makes no sense.
    static func read(from descriptor: Int32) -> Int? {
        read { offset, count in bytes(of: descriptor, at: offset, count: count) }
    }

    /// Returns the same of a file whose bytes come from a function: from an offset on so many, or fewer at its
    /// end.
    static func read(_ part: (_ offset: Int, _ count: Int) -> [UInt8]) -> Int? {
        var offset = 0
        for _ in 0..<mostBoxes {
            let bytes = part(offset, 16)
            guard let header = Box(bytes[...], isWhole: false) else { return nil }
            if header.type.spells("meta") {
                guard header.length <= mostMetadata else { return nil }
                let box = part(offset, header.length)
                guard box.count == header.length else { return nil }
                // A version and flags come first.
                return orientation(inMetadata: box[header.start...].dropFirst(4))
            }
            guard header.length > 0, offset <= Int.max - header.length else { return nil }
            offset += header.length
        }
        return nil
    }

    /// Returns the orientation that a file's metadata (ISO/IEC 14496-12, 8.11.1) gives its primary item.
    static func orientation(inMetadata content: ArraySlice<UInt8>) -> Int? {
        let metadata = Box.all(in: content)
        guard let primary = metadata.first(where: { $0.type.spells("pitm") }).flatMap(primaryItem),
            let properties = metadata.first(where: { $0.type.spells("iprp") })
        else { return nil }
        let parts = Box.all(in: properties.content)
        guard let container = parts.first(where: { $0.type.spells("ipco") }) else { return nil }
        let all = Box.all(in: container.content)
        var turn = Turn()
        for part in parts where part.type.spells("ipma") {
            for index in associations(of: primary, in: part) where all.indices.contains(index - 1) {
                turn.add(all[index - 1])
            }
        }
        return turn.orientation
    }

    /// Returns the id in a primary item box (8.11.4).
    private static func primaryItem(_ box: Box) -> Int? {
        var reader = Reader(box.content)
        guard let version = reader.number(1), reader.number(3) != nil else { return nil }
        return reader.number(version == 0 ? 2 : 4)
    }

    /// Returns the properties of an item, counted from 1 and in the order in which they are applied
    /// (ISO/IEC 23008-12, 9.3.1).
    private static func associations(of item: Int, in box: Box) -> [Int] {
        var reader = Reader(box.content)
        guard let version = reader.number(1), let flags = reader.number(3), let count = reader.number(4)
        else { return [] }
        for _ in 0..<count {
            guard let id = reader.number(version < 1 ? 2 : 4), let number = reader.number(1) else { break }
            var indices: [Int] = []
            for _ in 0..<number {
                // The highest bit says whether a reader has to know the property.
                guard let index = reader.number(flags & 1 == 0 ? 1 : 2) else { return [] }
                indices.append(index & (flags & 1 == 0 ? 0x7F : 0x7FFF))
            }
            if id == item { return indices }
        }
        return []
    }

    private static func bytes(of descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = pread(descriptor, &bytes, count, offset)
        return Array(bytes.prefix(max(0, got)))
    }
}

/// What turns and mirrors come to, one after the other.
private struct Turn {
    /// Where a step to the right and a step down lead to: the columns of a matrix.
    private var right = (x: 1, y: 0)
    private var down = (x: 0, y: 1)

    /// Applies a property, if it is one that turns.
    mutating func add(_ property: Box) {
        guard let value = property.content.first else { return }
        if property.type.spells("irot") {
            // In steps of 90 degrees, counterclockwise (ISO/IEC 23008-12, 6.5.10).
            for _ in 0..<value & 3 { apply { ($0.y, -$0.x) } }
        } else if property.type.spells("imir") {
            // 1 exchanges left and right, 0 top and bottom, as libheif has it (6.5.12).
            apply { value & 1 == 1 ? (-$0.x, $0.y) : ($0.x, -$0.y) }
        }
    }

    /// The same as a value of EXIF.
    var orientation: Int {
        switch (right.x, right.y, down.x, down.y) {
        case (-1, 0, 0, 1): 2
        case (-1, 0, 0, -1): 3
        case (1, 0, 0, -1): 4
        case (0, 1, 1, 0): 5
        case (0, 1, -1, 0): 6
        case (0, -1, -1, 0): 7
        case (0, -1, 1, 0): 8
        default: 1
        }
    }

    private mutating func apply(_ body: ((x: Int, y: Int)) -> (Int, Int)) {
        (right, down) = (body(right), body(down))
    }
}

/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2).
private struct Box {
    let type: [UInt8]
    /// The length in bytes, the header included.
    let length: Int
    /// The length of the header.
    let start: Int
    let content: ArraySlice<UInt8>

    /// Reads the box that the bytes begin with; nil if there is none, or if it has to be whole and isn't.
    init?(_ bytes: ArraySlice<UInt8>, isWhole: Bool) {
        var reader = Reader(bytes)
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
    static func all(in bytes: ArraySlice<UInt8>) -> [Box] {
        var (boxes, rest): ([Box], ArraySlice<UInt8>) = ([], bytes)
        while let box = Box(rest, isWhole: true) {
            boxes.append(box)
            rest = rest.dropFirst(box.length)
        }
        return boxes
    }
}

/// Takes numbers and bytes from the front.
private struct Reader {
    private var rest: ArraySlice<UInt8>

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
    fileprivate func spells(_ word: String) -> Bool { elementsEqual(word.utf8) }
}
