/// Bytes that a seed decides, so that a test knows them without keeping them.
public enum OriginContent {
    /// As many bytes as asked for; no two seeds give the same.
    public static func bytes(seed: UInt64, count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var word: UInt64 = 0
            for index in 0..<count {
                if index % 8 == 0 { word = generator.next() }
                buffer[index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * (index % 8)))
            }
            initialized = count
        }
    }
}
