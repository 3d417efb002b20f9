/// Turns HEIC and AVIF pictures by properties of the format, as cameras do.
public enum HEIFBoxes {
    /// Adds the properties to the primary item that make libheif show the picture upright.
    ///
    /// That is the first one, or what is made of it: libheif writes pictures with an odd side as a grid, as cameras
    /// write large ones.
    ///
    /// The file has to be one of libheif's: metadata before the picture's bytes, and short offsets.
    ///
    /// With `isFirst` they stand ahead of all others, as no writer should have them.
    static func turned(_ bytes: [UInt8], _ orientation: Orientation, isFirst: Bool = false) -> [UInt8] {
        let properties = properties(orientation)
        guard !properties.isEmpty else { return bytes }
        var file = HEIFTree.boxes(bytes[...], isMetadata: false)
        guard let meta = file.firstIndex(where: { $0.type == "meta" }) else { return bytes }
        let before = file[meta].bytes.count
        file[meta].change(["iprp", "ipco"]) { container in
            container.children += properties.map {
                HEIFTree(type: $0.type, head: [], content: [$0.value], children: [])
            }
        }
        let last = file[meta].child(["iprp", "ipco"])?.children.count ?? 0
        let primary = file[meta].child(["pitm"])?.content.suffix(2).reduce(0) { $0 << 8 | Int($1) } ?? 1
        file[meta].change(["iprp", "ipma"]) { box in
            // Version and flags, the number of entries, and for each an item's id and the number of its properties.
            let wide = box.content[3] & 1 == 1
            let length = box.content[0] == 0 ? 2 : 4
            var place = 8 + length
            while box.content[place - 2..<place].reduce(0, { $0 << 8 | Int($1) }) != primary {
                place += 1 + Int(box.content[place]) * (wide ? 2 : 1) + length
            }
            let old = Int(box.content[place])
            box.content[place] += UInt8(properties.count)
            let indices = (0..<properties.count).map { last - properties.count + 1 + $0 }
            let added = indices.flatMap { (index: Int) -> [UInt8] in
                wide ? [0x80, UInt8(index)] : [0x80 | UInt8(index)]
            }
            box.content.insert(contentsOf: added, at: place + 1 + (isFirst ? 0 : old * (wide ? 2 : 1)))
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
