/// The keys of a page in 128 bits (FNV-1a), to know a page that comes again.
///
/// A server that makes two pages collide only ends its own walk.
public struct PageFingerprint: Hashable, Sendable, Codable {
    private let high: UInt64
    private let low: UInt64

    /// The fingerprint of keys in their order.
    public init(keys: some Sequence<String>) {
        let prime: UInt128 = 1 << 88 | 0x13B
        var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        for key in keys {
            for byte in key.utf8 { hash = (hash ^ UInt128(byte)) &* prime }
            // No UTF-8 has this byte: keys can't run into each other.
            hash = (hash ^ 0xFF) &* prime
        }
        high = UInt64(truncatingIfNeeded: hash >> 64)
        low = UInt64(truncatingIfNeeded: hash)
    }
}
