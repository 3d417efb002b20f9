extension HEIFBoxes {
    /// Adds a picture to another one as its thumbnail; both have to be AVIF of libheif's, or both HEIC.
    public static func embedding(_ thumbnail: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        var file = HEIFTree.boxes(bytes[...], isMetadata: false)
        guard let meta = file.firstIndex(where: { $0.type == "meta" }),
            let small = HEIFTree.boxes(thumbnail[...], isMetadata: false).first(where: { $0.type == "meta" }),
            let locations = small.child(["iloc"]), let added = small.child(["iprp", "ipco"]),
            let links = small.child(["iprp", "ipma"]),
            let old = file[meta].child(["iprp", "ipco"])
        else { return bytes }
        // The first item of a box of version 0: its id, where its data is, a base, and one extent.
        let place = Int(HEIFTree.value(locations.content[18..<22]))
        let length = Int(HEIFTree.value(locations.content[22..<26]))
        let data = Array(thumbnail[place..<place + length])
        let before = file[meta].bytes.count
        file[meta].change(["iprp", "ipco"]) { $0.children += added.children }
        file[meta].change(["iprp", "ipma"]) { box in
            box.content[7] += 1
            box.content += [0, 9, links.content[10]]
            box.content += links.content.dropFirst(11).map { $0 + UInt8(old.children.count) }
        }
        file[meta].change(["iinf"]) { box in
            box.content[5] += 1
            let coding = thumbnail[8..<12].elementsEqual("avif".utf8) ? "av01" : "hvc1"
            let item: [UInt8] = [2, 0, 0, 0, 0, 9, 0, 0] + Array(coding.utf8) + [0]
            box.content += HEIFTree(type: "infe", head: [], content: item, children: []).bytes
        }
        file[meta].change(["iref"]) { box in
            let item: [UInt8] = [0, 9, 0, 1, 0, 1]
            box.content += HEIFTree(type: "thmb", head: [], content: item, children: []).bytes
        }
        file[meta].change(["iloc"]) { box in
            box.content[7] += 1
            box.content += [0, 9, 0, 0, 0, 0, 0, 0, 0, 1]
            box.content += HEIFTree.number(bytes.count + 8, of: 4) + HEIFTree.number(length, of: 4)
        }
        let shift = file[meta].bytes.count - before
        file[meta].change(["iloc"]) { $0.shiftExtents(by: shift) }
        file.append(HEIFTree(type: "mdat", head: [], content: data, children: []))
        return file.flatMap(\.bytes)
    }

    /// The file of a still picture as that of an animation, which has the same as its first one, and with
    /// `isStill` also as a picture for those who show no animations.
    public static func animated(_ bytes: [UInt8], isStill: Bool = true) -> [UInt8] {
        var file = HEIFTree.boxes(bytes[...], isMetadata: false)
        guard let first = file.indices.first, file[first].type == "ftyp" else { return bytes }
        file[first].content.replaceSubrange(0..<4, with: "avis".utf8)
        if !isStill { file.removeAll { $0.type == "meta" } }
        return file.flatMap(\.bytes)
    }
}
