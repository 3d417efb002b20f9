/// A TIFF file, page by page, for what no encoder makes.
public struct PaintedTIFF {
    /// The value of a tag.
    public enum Value {
        case short([Int])
        case long([Int])
        case bytes([UInt8])
        case text(String)

        fileprivate var type: Int {
            switch self {
            case .bytes: 1
            case .text: 2
            case .short: 3
            case .long: 4
            }
        }

        fileprivate var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .text(let text): text.utf8.count + 1
            case .short(let values), .long(let values): values.count
            }
        }

        fileprivate var encoded: [UInt8] {
            switch self {
            case .bytes(let bytes): bytes
            case .text(let text): Array(text.utf8) + [0]
            case .short(let values): values.flatMap { PaintedTIFF.number($0, of: 2) }
            case .long(let values): values.flatMap { PaintedTIFF.number($0, of: 4) }
            }
        }
    }

    /// One directory, and the bytes of its picture.
    public struct Page {
        /// Its tags by number.
        public var tags: [Int: Value]
        /// The pieces that its picture consists of.
        public var pieces: [[UInt8]]
        /// The tags that say where those lie, and how long each is.
        public var places = (offsets: 273, counts: 279)
        /// Directories that it refers to.
        public var subpages: [Page] = []

        /// A page of pieces as they are.
        public init(_ tags: [Int: Value], pieces: [[UInt8]]) {
            self.tags = tags
            self.pieces = pieces
        }

        /// A page of a painted picture, uncompressed.
        public init(_ picture: PaintedPicture, kind: Int = 0) {
            tags = [
                254: .long([kind]), 256: .long([picture.width]), 257: .long([picture.height]),
                258: .short([8, 8, 8]), 259: .short([1]), 262: .short([2]), 277: .short([3]),
                278: .long([picture.height]), 284: .short([1]),
            ]
            pieces = [picture.pixels]
        }

        /// A page of a painted picture whose colours lie in planes, each in tiles of 64 pixels.
        public static func planes(_ picture: PaintedPicture) -> Page {
            let side = 64
            var page = Page(picture)
            page.tags[278] = nil
            page.tags[284] = .short([2])
            page.tags[322] = .long([side])
            page.tags[323] = .long([side])
            page.places = (324, 325)
            page.pieces = []
            for band in 0..<3 {
                for top in stride(from: 0, to: picture.height, by: side) {
                    for left in stride(from: 0, to: picture.width, by: side) {
                        var tile = [UInt8](repeating: 0, count: side * side)
                        for y in top..<min(top + side, picture.height) {
                            for x in left..<min(left + side, picture.width) {
                                tile[(y - top) * side + x - left] =
                                    picture.pixels[(y * picture.width + x) * 3 + band]
                            }
                        }
                        page.pieces.append(tile)
                    }
                }
            }
            return page
        }

        /// A page of a JPEG as it is, as the oldest way of TIFF has it (compression 6), whose colours have
        /// half its resolution.
        public static func oldJPEG(_ jpeg: [UInt8], width: Int, height: Int, kind: Int = 0) -> Page {
            var page = Page(
                [
                    254: .long([kind]), 256: .long([width]), 257: .long([height]), 258: .short([8, 8, 8]),
                    259: .short([6]), 262: .short([6]), 277: .short([3]), 278: .long([height]),
                    514: .long([jpeg.count]), 530: .short([2, 2]),
                ],
                pieces: [jpeg]
            )
            page.isInterchange = true
            return page
        }

        /// A page of a JPEG in one piece, whose colours have half its resolution (compression 7).
        public static func jpeg(_ jpeg: [UInt8], width: Int, height: Int) -> Page {
            var page = oldJPEG(jpeg, width: width, height: height)
            page.tags[259] = .short([7])
            page.tags[514] = nil
            page.isInterchange = false
            return page
        }

        /// True if tag 513 says where the first piece lies, too.
        fileprivate var isInterchange = false
    }

    /// Encodes pages as a file, in little-endian order.
    public static func file(_ pages: [Page]) -> [UInt8] {
        var bytes: [UInt8] = [0x49, 0x49, 0x2A, 0, 0, 0, 0, 0]
        var link = 4
        for page in pages {
            let (offset, next) = add(page, to: &bytes)
            bytes.replaceSubrange(link..<link + 4, with: number(offset, of: 4))
            link = next
        }
        return bytes
    }

    /// Adds a page; returns where its directory is, and where it says which one is next.
    private static func add(_ page: Page, to bytes: inout [UInt8]) -> (offset: Int, next: Int) {
        var (tags, offsets) = (page.tags, [Int]())
        for piece in page.pieces {
            offsets.append(bytes.count)
            bytes += piece + [UInt8](repeating: 0, count: piece.count & 1)
        }
        if !offsets.isEmpty {
            tags[page.places.offsets] = .long(offsets)
            tags[page.places.counts] = .long(page.pieces.map(\.count))
            if page.isInterchange { tags[513] = .long([offsets[0]]) }
        }
        if !page.subpages.isEmpty {
            tags[330] = .long(page.subpages.map { add($0, to: &bytes).offset })
        }
        var directory = number(tags.count, of: 2)
        for (tag, value) in tags.sorted(by: { $0.key < $1.key }) {
            let encoded = value.encoded
            directory += number(tag, of: 2) + number(value.type, of: 2) + number(value.count, of: 4)
            if encoded.count <= 4 {
                directory += encoded + [UInt8](repeating: 0, count: 4 - encoded.count)
            } else {
                directory += number(bytes.count, of: 4)
                bytes += encoded + [UInt8](repeating: 0, count: encoded.count & 1)
            }
        }
        let offset = bytes.count
        bytes += directory + [0, 0, 0, 0]
        return (offset, bytes.count - 4)
    }

    fileprivate static func number(_ value: Int, of count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
