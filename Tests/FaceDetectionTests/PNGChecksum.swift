/// The checksum of PNG chunks, so that tests can forge a header; W3C PNG, annex D.
enum PNGChecksum {
    /// Four bytes, as they stand behind a chunk.
    static func of(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
        }
        sum ^= 0xFFFF_FFFF
        return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32($0))) }
    }
}
