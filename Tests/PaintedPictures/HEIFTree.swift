/// A box and those in it.
struct HEIFTree {
    var type: String
    /// The bytes before the children: version and flags of a metadata box.
    var head: [UInt8]
    var content: [UInt8]
    var children: [HEIFTree]

    var bytes: [UInt8] {
        let inside = head + content + children.flatMap(\.bytes)
        return Self.number(inside.count + 8, of: 4) + Array(type.utf8) + inside
    }

    static func boxes(_ bytes: ArraySlice<UInt8>, isMetadata: Bool) -> [HEIFTree] {
        var (boxes, rest): ([HEIFTree], ArraySlice<UInt8>) = ([], bytes)
        while rest.count >= 8 {
            let length = Int(value(rest.prefix(4)))
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            let content = rest.dropFirst(8).prefix(length - 8)
            switch type {
            case "meta":
                let children = Self.boxes(content.dropFirst(4), isMetadata: true)
                boxes.append(
                    HEIFTree(type: type, head: Array(content.prefix(4)), content: [], children: children)
                )
            case "iprp", "ipco":
                let children = Self.boxes(content, isMetadata: true)
                boxes.append(HEIFTree(type: type, head: [], content: [], children: children))
            default: boxes.append(HEIFTree(type: type, head: [], content: Array(content), children: []))
            }
            rest = rest.dropFirst(length)
        }
        return boxes
    }

    func child(_ path: [String]) -> HEIFTree? {
        guard let first = path.first else { return self }
        return children.first { $0.type == first }?.child(Array(path.dropFirst()))
    }

    mutating func change(_ path: [String], _ body: (inout HEIFTree) -> Void) {
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

    static func value(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func number(_ value: Int, of count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
