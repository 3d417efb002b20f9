/// Parts for forging a PNG.
public enum PNGChunks {
    /// The four bytes that stand behind a chunk's type and data; W3C PNG, annex D.
    public static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
        }
        sum ^= 0xFFFF_FFFF
        return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32($0))) }
    }

    /// Puts an `eXIf` chunk with an orientation, and nothing else, behind the header.
    public static func withExif(orientation: Orientation, _ png: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1]
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0]
        let chunk = Array("eXIf".utf8) + header + entry + [0, 0, 0, 0]
        let length: [UInt8] = [0, 0, 0, UInt8(chunk.count - 4)]
        // The signature takes 8 bytes, the header chunk 25.
        return png[..<33] + length + chunk + checksum(chunk) + png[33...]
    }

    /// Makes a text that was compressed by zlib (`zTXt`).
    public static func text(compressed: [UInt8]) -> [UInt8] {
        let chunk = Array("zTXta".utf8) + [0, 0] + compressed
        let size = UInt32(chunk.count - 4)
        return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * UInt32($0))) } + chunk
            + checksum(chunk)
    }

    /// Makes the checksums of all chunks right again, as far as lengths can be followed, so that what
    /// was changed within them is looked at.
    public static func withChecksums(_ png: [UInt8]) -> [UInt8] {
        var png = png
        var offset = 8
        while offset + 12 <= png.count {
            let length = png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = offset + 8 + length
            guard end + 4 <= png.count else { break }
            png.replaceSubrange(end..<end + 4, with: checksum(png[offset + 4..<end]))
            offset = end + 4
        }
        return png
    }
}
