/// The pages of a TIFF file, as far as one of them has to be chosen.
///
/// A page may be a small version of another one, or a mask (TIFF 6.0, NewSubfileType): some programs put
/// a thumbnail ahead of the picture, others a pyramid of smaller versions behind it.
struct TIFFPages {
    /// The place where libvips finds a picture.
    struct Place: Hashable {
        /// The page, from 0.
        var page = 0
        /// The index among the directories that the page refers to (tag 330), from 0; nil for the page
        /// itself.
        var subdirectory: Int?
    }

    /// One directory of a file, which describes one picture (TIFF 6.0, section 2).
    struct Directory: Hashable {
        /// The kind of page (tag 254): 1 for a smaller version, 2 for one of many pages, 4 for a mask, or a
        /// sum of those.
        var kind = 0
        /// Offsets of further directories (tag 330; TIFF Technical Note 1).
        var subdirectories: [Int] = []
        /// The packing of its values (tag 259).
        var compression = 0
        /// The meaning of its values (tag 262).
        var colours = 0
        /// True if it is in tiles (tag 322).
        var isTiled = false
        /// True if its colours lie in planes, one after the other (tag 284).
        var isInPlanes = false
        /// The offsets of its tiles or strips (tags 324, 273), if they are packed as JPEG 2000.
        var packedPictures: [Int] = []
        /// True if it has a version of DNG (tag 50706).
        var isDNG = false

        /// True if libvips reads none of its kind: tiles of planes, JPEG in its oldest way (compression 6),
        /// and colours at half resolution (colours 6) outside of JPEG (compression 7).
        var isUnusual: Bool {
            isTiled && isInPlanes || compression == 6 || colours == 6 && compression != 7
        }

        /// True if its tiles or strips are packed as JPEG 2000, as libvips reads them.
        var isJPEG2000: Bool { (33_003...33_005).contains(compression) }

        /// True if it is neither a smaller version of another picture nor a mask.
        var isFull: Bool { kind & 0b101 == 0 }
    }

    /// The first directories of the file.
    let directories: [Directory]
    /// Those that the first one refers to.
    let subdirectories: [Directory]
    private let isCanon: Bool

    /// The number of directories to look at, and of those that the first one refers to.
    private static let most = 64
    /// The number of tiles or strips to look at.
    static let mostPieces = 1 << 16
    /// The number of entries of a directory to look at.
    private static let mostEntries = 1024

    /// Reads the file whose bytes come from a function: from an offset on so many, or fewer at its end; nil if
    /// they make no sense.
    init?(_ part: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
        guard let file = File(part) else { return nil }
        var (directories, offset): ([Directory], Int) = ([], file.first)
        while offset != 0, directories.count < Self.most, let found = file.directory(at: offset) {
            directories.append(found.directory)
            offset = found.next
        }
        guard let first = directories.first else { return nil }
        isCanon = part(8, 2).elementsEqual("CR".utf8)
        self.directories = directories
        // Each has a place of its own, also one that makes no sense.
        subdirectories = first.subdirectories.prefix(Self.most).map { offset in
            file.directory(at: offset)?.directory ?? Directory(kind: 1)
        }
    }

    /// True if it is a camera's RAW file: as DNG, as Canon's CR2, or because a page has a sensor's values, or
    /// is packed as only cameras do it.
    var isRaw: Bool {
        isCanon || directories.first?.isDNG == true
            || (directories + subdirectories).contains { page in
                Self.sensors.contains(page.colours) || Self.packings.contains(page.compression)
            }
    }

    /// A mosaic of colours, and what is made of one (DNG 1.7, PhotometricInterpretation).
    private static let sensors: Set<Int> = [32803, 34892]
    /// Those of Sony, Epson, Samsung, Nikon, Kodak and Pentax, as LibRaw knows them.
    private static let packings: Set<Int> = [32767, 32769, 32770, 34713, 65000, 65535]

    /// The first picture in full resolution; the first page where none says that it is.
    var place: Place {
        if let page = directories.firstIndex(where: \.isFull) { return Place(page: page) }
        if let sub = subdirectories.firstIndex(where: \.isFull) { return Place(subdirectory: sub) }
        return Place()
    }

    /// True if libvips reads none of that picture's kind.
    var isUnusual: Bool { chosen.isUnusual }

    /// The directory of that picture.
    var chosen: Directory {
        let place = place
        return place.subdirectory.map { subdirectories[$0] } ?? directories[place.page]
    }

    /// A file with what all its numbers are read with.
    private struct File {
        let part: (_ offset: Int, _ count: Int) -> [UInt8]
        let isBigEndian: Bool
        /// True if offsets and counts have eight bytes (BigTIFF).
        let isBig: Bool
        private(set) var first = 0

        init?(_ part: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
            self.part = part
            let head = part(0, 16)
            guard head.count >= 8 else { return nil }
            isBigEndian = head.starts(with: [0x4D, 0x4D])
            isBig = head[2] == 0x2B || head[3] == 0x2B
            let start = isBig ? 8 : 4
            guard head.count >= start + width, let first = number(head[start..<start + width]) else {
                return nil
            }
            self.first = first
        }

        /// The bytes of an offset.
        private var width: Int { isBig ? 8 : 4 }

        /// Returns a number; nil for one that is no place in a file.
        private func number(_ bytes: ArraySlice<UInt8>) -> Int? {
            let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
            guard ordered.count < 8 || ordered[0] < 0x40 else { return nil }
            return ordered.reduce(0) { $0 << 8 | Int($1) }
        }

        /// Returns the directory at an offset, and the offset of the next one, 0 if there is none.
        func directory(at offset: Int) -> (directory: Directory, next: Int)? {
            let (head, size) = (isBig ? 8 : 2, isBig ? 20 : 12)
            let start = part(offset, head)
            guard start.count == head, let count = number(start[...]),
                (1...TIFFPages.mostEntries).contains(count)
            else { return nil }
            let bytes = part(offset + head, count * size + width)
            guard bytes.count >= count * size else { return nil }
            var (directory, seen) = (Directory(), Set<Int>())
            var pieces: ArraySlice<UInt8>?
            for entry in 0..<count {
                let entry = bytes[entry * size..<(entry + 1) * size]
                // A tag stands in a directory once.
                guard let tag = number(entry.prefix(2)), seen.insert(tag).inserted else { continue }
                switch tag {
                case 254: directory.kind = values(of: entry).first ?? 0
                // The older tag (255) says 2 for a smaller version.
                case 255: if values(of: entry).first == 2 { directory.kind |= 1 }
                case 259: directory.compression = values(of: entry).first ?? 0
                case 262: directory.colours = values(of: entry).first ?? 0
                case 284: directory.isInPlanes = values(of: entry).first == 2
                case 273: pieces = pieces ?? entry
                case 322: directory.isTiled = true
                case 324: pieces = entry
                case 50706: directory.isDNG = true
                case 330: directory.subdirectories = values(of: entry)
                default: break
                }
            }
            if directory.isJPEG2000, let pieces {
                directory.packedPictures = values(of: pieces, atMost: TIFFPages.mostPieces)
            }
            let next = bytes.count == count * size + width ? number(bytes.suffix(width)) ?? 0 : 0
            return (directory, next)
        }

        /// Returns the first values of an entry of whole numbers.
        private func values(of entry: ArraySlice<UInt8>, atMost most: Int = TIFFPages.most) -> [Int] {
            let rest = entry.dropFirst(4)
            guard let type = number(entry.dropFirst(2).prefix(2)), let count = number(rest.prefix(width)),
                let size = [3: 2, 4: 4, 13: 4, 16: 8, 18: 8][type]
            else { return [] }
            let length = min(count, most) * size
            let place = rest.dropFirst(width)
            let bytes =
                count <= width / size
                ? Array(place.prefix(length)) : number(place).map { part($0, length) } ?? []
            return stride(from: 0, to: bytes.count - bytes.count % size, by: size).compactMap {
                number(bytes[$0..<$0 + size])
            }
        }
    }
}
