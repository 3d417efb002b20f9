/// The lengths that a PNG file says its chunks have.
///
/// Decoders get the memory that a chunk claims before they read it, so that a few bytes could cost gigabytes.
/// Those of the other formats compare with the file's length first, and libvips reads TIFFs by parts. Of JPEG XL and
/// JPEG 2000 that is checked here all the same (``BoxLengths``).
enum PNGLengths {
    /// Chunks may be short: many are read at once.
    private static let window = 4096

    /// Checks a file of so many bytes, which come from a function: from an offset on so many, or fewer at its
    /// end.
    ///
    /// - Throws: ``UnreadablePicture`` for a chunk that would reach beyond the end of the file.
    static func check(
        length: Int,
        _ part: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(UnreadablePicture) {
        // A signature comes first.
        var (offset, seen, begin) = (8, [UInt8](), 0)
        while offset < length {
            if offset < begin || offset + 8 > begin + seen.count {
                (seen, begin) = (part(offset, window), offset)
            }
            // A length, a type, the data, and a checksum (PNG, third edition, 5.3).
            var reader = ISOReader(seen[(offset - begin)...])
            guard let claimed = reader.number(4), let name = reader.bytes(4) else { return }
            guard claimed <= length - offset - 8 else {
                throw UnreadablePicture(part: name, claims: claimed, left: max(0, length - offset - 8))
            }
            // What follows the last chunk is no part of the picture.
            if name.spells("IEND") { return }
            offset += claimed + 12
        }
    }
}

extension UnreadablePicture {
    /// The reason where a part of a file says that it is longer than what is left of that.
    init(part name: [UInt8], claims claimed: Int, left: Int) {
        // Names that are no words would say anything on a terminal.
        let word = String(
            decoding: name.map { byte in
                let isPlain = (0x41...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x20
                return isPlain ? byte : 0x3F
            },
            as: UTF8.self
        )
        self.init("is cut off or damaged: its part \(word) claims \(claimed) bytes, and \(left) are left")
    }
}
