/// Reads the EXIF orientation of a PNG, which libvips 8.14 ignores although browsers honour it.
enum PNGOrientation {
    /// The number of chunks to look at.
    private static let mostChunks = 4096
    /// The number of bytes of EXIF to look at; the orientation is among the first.
    private static let mostExif = 1 << 16

    /// Returns the orientation, 2 to 8; nil if there is none or the picture is upright.
    ///
    /// The chunk `eXIf` contains EXIF without its JPEG header (PNG, third edition, 11.3.3.7).
    static func read(from descriptor: Int32) -> Int? {
        read(FileBytes(descriptor: descriptor).part)
    }

    /// Returns the same of a file whose bytes come from a function: from an offset on so many, or fewer at its
    /// end.
    static func read(_ part: (_ offset: Int, _ count: Int) -> [UInt8]) -> Int? {
        var offset = 8
        for _ in 0..<mostChunks {
            let header = part(offset, 8)
            guard header.count == 8 else { return nil }
            let length = number(header[0..<4], bigEndian: true)
            if header[4...].elementsEqual("eXIf".utf8) {
                return orientation(in: part(offset + 8, min(length, mostExif)))
            }
            // A chunk consists of its length, type, data and checksum.
            offset += 12 + length
        }
        return nil
    }

    /// Returns the tag 0x0112 of the first directory (TIFF 6.0, section 2, and EXIF 2.32, table 4).
    static func orientation(in exif: [UInt8]) -> Int? {
        let bigEndian = exif.starts(with: [0x4D, 0x4D])
        guard bigEndian || exif.starts(with: [0x49, 0x49]), exif.count >= 8 else { return nil }
        let directory = number(exif[4..<8], bigEndian: bigEndian)
        guard directory + 2 <= exif.count else { return nil }
        let entries = number(exif[directory..<directory + 2], bigEndian: bigEndian)
        for entry in 0..<entries {
            let start = directory + 2 + entry * 12
            guard start + 12 <= exif.count else { return nil }
            guard number(exif[start..<start + 2], bigEndian: bigEndian) == 0x0112 else { continue }
            let value = number(exif[start + 8..<start + 10], bigEndian: bigEndian)
            return (2...8).contains(value) ? value : nil
        }
        return nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> Int {
        bigEndian
            ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
