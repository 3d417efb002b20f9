/// A checksum of a row's values, to recognize damage: FNV-1a, 64 bits (draft-eastlake-fnv).
enum RowMark {
    /// Returns the checksum of a text, which may be empty, and numbers.
    static func of(_ text: String, _ numbers: [Int64]) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for byte in text.utf8 { add(byte) }
        for number in numbers {
            for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        return Int64(bitPattern: hash)
    }
}
