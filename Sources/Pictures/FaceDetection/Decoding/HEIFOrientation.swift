/// Reads how a HEIC or AVIF picture is turned by the properties of its primary item.
///
/// libheif applies those properties, and neither it nor libvips says what they are. Programs that keep
/// places in such a picture count from its pixels as they lie in the file, as with EXIF. An orientation in
/// EXIF is for information only in this format (ISO/IEC 23008-12, A.2), and libheif ignores it as well.
enum HEIFOrientation {
    /// Returns the orientation as the value of EXIF (tag 0x0112); nil if the file makes no sense.
    static func read(from descriptor: Int32) -> Int? {
        read(FileBytes(descriptor: descriptor).part)
    }

    /// Returns the same of a file whose bytes come from a function: from an offset on so many, or fewer at its
    /// end.
    static func read(_ part: (_ offset: Int, _ count: Int) -> [UInt8]) -> Int? {
        guard case .found(let content, _) = ISOBox.metadata(part) else { return nil }
        return orientation(inMetadata: content)
    }

    /// Returns the orientation that a file's metadata (ISO/IEC 14496-12, 8.11.1) gives its primary item.
    static func orientation(inMetadata content: ArraySlice<UInt8>) -> Int? {
        let metadata = ISOBox.all(in: content)
        guard let primary = metadata.first(where: { $0.type.spells("pitm") }).flatMap(primaryItem),
            let properties = metadata.first(where: { $0.type.spells("iprp") })
        else { return nil }
        let parts = ISOBox.all(in: properties.content)
        guard let container = parts.first(where: { $0.type.spells("ipco") }) else { return nil }
        let all = ISOBox.all(in: container.content)
        var turn = Turn()
        for part in parts where part.type.spells("ipma") {
            for index in associations(of: primary, in: part) where all.indices.contains(index - 1) {
                turn.add(all[index - 1])
            }
        }
        return turn.orientation
    }

    /// Returns the id in a primary item box (8.11.4).
    private static func primaryItem(_ box: ISOBox) -> Int? {
        var reader = ISOReader(box.content)
        guard let version = reader.number(1), reader.number(3) != nil else { return nil }
        return reader.number(version == 0 ? 2 : 4)
    }

    /// Returns the properties of an item, counted from 1 and in the order in which they are applied
    /// (ISO/IEC 23008-12, 9.3.1).
    private static func associations(of item: Int, in box: ISOBox) -> [Int] {
        var reader = ISOReader(box.content)
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
}

/// A combination of turns and mirrors, one after the other.
private struct Turn {
    /// The directions of a step to the right and a step down: the columns of a matrix.
    private var right = (x: 1, y: 0)
    private var down = (x: 0, y: 1)

    /// Applies a property, if it is one that turns.
    mutating func add(_ property: ISOBox) {
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
