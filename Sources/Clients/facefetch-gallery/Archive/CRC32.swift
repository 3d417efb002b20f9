/// The checksum of ZIP (APPNOTE.TXT 4.4.7): CRC-32 with the polynomial of IEEE 802.3, bits reversed.
struct CRC32: Sendable {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }

    private var sum: UInt32 = 0xFFFF_FFFF

    /// The checksum of all bytes so far.
    var value: UInt32 { ~sum }

    /// Takes further bytes into account.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        sum = Self.table.withUnsafeBufferPointer { table in
            var sum = sum
            for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
            return sum
        }
    }
}
