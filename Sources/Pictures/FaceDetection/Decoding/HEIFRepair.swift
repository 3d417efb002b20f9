/// Repairs of a HEIC or AVIF file, in memory, for decoders that would refuse it or take it wrongly.
///
/// The first of an animation's pictures stands in the file as a still one, too (AV1 Image File Format, 4.2),
/// which libvips doesn't look for in a file that calls itself an animation. And libheif takes an item's
/// properties in the order in which they are listed, so that the size of its coded picture has to come before
/// what turns it, as writers should list them (ISO/IEC 23008-12, 6.5.1), and not all do.
enum HEIFRepair {
    /// Bytes that stand in the place of others.
    struct Patch: Hashable {
        var offset: Int
        var bytes: [UInt8]
    }

    /// Properties that change an item's picture, and are applied one after the other (6.5.9 to 6.5.13).
    private static let changing = ["clap", "irot", "imir", "iscl"]
    /// The brands of files that may hold an animation alone.
    private static let animated: Set<String> = ["avis", "msf1", "hevc", "hevx", "hevm", "hevs"]

    /// Returns what to change of a file whose bytes come from a function: from an offset on so many, or fewer
    /// at its end.
    ///
    /// - Throws: ``UnreadablePicture`` for an animation without a still picture.
    static func patches(_ part: (_ offset: Int, _ count: Int) -> [UInt8]) throws(UnreadablePicture) -> [Patch]
    {
        let brand = part(8, 4)
        let isAnimated = animated.contains(String(decoding: brand, as: UTF8.self))
        var patches: [Patch] = []
        switch ISOBox.metadata(part) {
        case .unclear: return []
        case .none:
            guard isAnimated else { return [] }
            throw UnreadablePicture("is an animation without a still picture, and those are not read")
        case .found(let content, let offset):
            if brand.spells("avis") { patches.append(Patch(offset: 8, bytes: Array("avif".utf8))) }
            guard let properties = ISOBox.all(in: content).first(where: { $0.type.spells("iprp") }) else {
                return patches
            }
            let parts = ISOBox.all(in: properties.content)
            guard let container = parts.first(where: { $0.type.spells("ipco") }) else { return patches }
            let isChanging = ISOBox.all(in: container.content).map { box in
                changing.contains { box.type.spells($0) }
            }
            for part in parts where part.type.spells("ipma") {
                patches += reordered(part, isChanging).map {
                    Patch(offset: $0.offset + offset, bytes: $0.bytes)
                }
            }
        }
        return patches
    }

    /// Returns the lists of a box of associations (9.3.1) that have to be in another order.
    private static func reordered(_ box: ISOBox, _ isChanging: [Bool]) -> [Patch] {
        var (reader, patches) = (ISOReader(box.content), [Patch]())
        guard let version = reader.number(1), let flags = reader.number(3), let count = reader.number(4)
        else { return [] }
        let size = flags & 1 == 0 ? 1 : 2
        for _ in 0..<count {
            guard reader.number(version < 1 ? 2 : 4) != nil, let number = reader.number(1) else { break }
            let start = reader.rest.startIndex
            var (plain, changing): ([UInt8], [UInt8]) = ([], [])
            var isInOrder = true
            for _ in 0..<number {
                guard let entry = reader.bytes(size) else { return patches }
                let index = entry.reduce(0) { $0 << 8 | Int($1) } & (size == 1 ? 0x7F : 0x7FFF)
                if isChanging.indices.contains(index - 1), isChanging[index - 1] {
                    changing += entry
                } else {
                    isInOrder = isInOrder && changing.isEmpty
                    plain += entry
                }
            }
            if !isInOrder { patches.append(Patch(offset: start, bytes: plain + changing)) }
        }
        return patches
    }
}
