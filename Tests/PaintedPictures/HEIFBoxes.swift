/// Turns HEIC and AVIF pictures by properties of the format, as cameras do.
public enum HEIFBoxes {
    /// Adds the properties to the first item that make libheif show the picture upright.
    ///
    /// The file has to be one of libheif's: metadata before the picture's bytes, and short offsets.
    static func turned(_ bytes: [UInt8], _ orientation: Orientation) -> [UInt8] {
        let properties = properties(orientation)
        guard !properties.isEmpty else { return bytes }
        var file = Tree.boxes(bytes[...], isMetadata: false)
        guard let meta = file.firstIndex(where: { $0.type == "meta" }) else { return bytes }
        let before = file[meta].bytes.count
        file[meta].change(["iprp", "ipco"]) { container in
            container.children += properties.map {
                Tree(type: $0.type, head: [], content: [$0.value], children: [])
            }
        }
        let last = file[meta].child(["iprp", "ipco"])?.children.count ?? 0
        file[meta].change(["iprp", "ipma"]) { box in
            // Version and flags, the number of entries, the first item's id, and the number of its properties.
            let wide = box.content[3] & 1 == 1
            let place = box.content[0] == 0 ? 10 : 12
            let old = Int(box.content[place])
            box.content[place] += UInt8(properties.count)
            let indices = (0..<properties.count).map { last - properties.count + 1 + $0 }
            let added = indices.flatMap { (index: Int) -> [UInt8] in
                wide ? [0x80, UInt8(index)] : [0x80 | UInt8(index)]
            }
            box.content.insert(contentsOf: added, at: place + 1 + old * (wide ? 2 : 1))
        }
        let shift = file[meta].bytes.count - before
        file[meta].change(["iloc"]) { $0.shiftExtents(by: shift) }
        return file.flatMap(\.bytes)
    }

    /// Mirroring comes after turning, counterclockwise in steps of 90 degrees.
    private static func properties(_ orientation: Orientation) -> [(type: String, value: UInt8)] {
        switch orientation {
        case .upright: []
        case .mirrored: [("imir", 1)]
        case .upsideDown: [("irot", 2)]
        case .flipped: [("imir", 0)]
        case .transposed: [("irot", 1), ("imir", 0)]
        case .needsClockwise: [("irot", 3)]
        case .transverse: [("irot", 1), ("imir", 1)]
        case .needsCounterclockwise: [("irot", 1)]
        }
    }
}

/// A box and those in it.
private struct Tree {
    var type: String
    /// What comes before the children: version and flags of a metadata box.
    var head: [UInt8]
    var content: [UInt8]
    var children: [Tree]

    var bytes: [UInt8] {
        let inside = head + content + children.flatMap(\.bytes)
        return Self.number(inside.count + 8, of: 4) + Array(type.utf8) + inside
    }

    static func boxes(_ bytes: ArraySlice<UInt8>, isMetadata: Bool) -> [Tree] {
        var (boxes, rest): ([Tree], ArraySlice<UInt8>) = ([], bytes)
        while rest.count >= 8 {
            let length = Int(value(rest.prefix(4)))
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            let content = rest.dropFirst(8).prefix(length - 8)
            switch type {
            case "meta":
                let children = Self.boxes(content.dropFirst(4), isMetadata: true)
                boxes.append(
                    Tree(type: type, head: Array(content.prefix(4)), content: [], children: children)
                )
            case "iprp", "ipco":
                let children = Self.boxes(content, isMetadata: true)
                boxes.append(Tree(type: type, head: [], content: [], children: children))
            default: boxes.append(Tree(type: type, head: [], content: Array(content), children: []))
            }
            rest = rest.dropFirst(length)
        }
        return boxes
    }

    func child(_ path: [String]) -> Tree? {
        guard let first = path.first else { return self }
        return children.first { $0.type == first }?.child(Array(path.dropFirst()))
    }

    mutating func change(_ path: [String], _ body: (inout Tree) -> Void) {
        guard let first = path.first else { return body(&self) }
        guard let index = children.firstIndex(where: { $0.type == first }) else { return }
        children[index].change(Array(path.dropFirst()), body)
    }

    /// Moves where items lie (ISO/IEC 14496-12, 8.11.3), for versions 0 and 1 with items in the file.
    mutating func shiftExtents(by shift: Int) {
        let version = content[0]
        let (offsetSize, lengthSize) = (Int(content[4] >> 4), Int(content[4] & 15))
        let (baseSize, indexSize) = (Int(content[5] >> 4), version == 0 ? 0 : Int(content[5] & 15))
        var place = 8
        for _ in 0..<Self.value(content[6..<8]) {
            let isInFile = version == 0 || content[place + 3] & 15 == 0
            place += version == 0 ? 4 : 6
            place += baseSize
            let extents = Self.value(content[place..<place + 2])
            place += 2
            for _ in 0..<extents {
                place += indexSize
                if isInFile {
                    let moved = Int(Self.value(content[place..<place + offsetSize])) + shift
                    let bytes = Self.number(moved, of: offsetSize)
                    content.replaceSubrange(place..<place + offsetSize, with: bytes)
                }
                place += offsetSize + lengthSize
            }
        }
    }

    private static func value(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func number(_ value: Int, of count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
