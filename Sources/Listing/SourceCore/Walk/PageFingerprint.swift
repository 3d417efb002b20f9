/// A 128-bit hash (FNV-1a) of a page's keys, to recognize a repeated page.
///
/// A server that constructs a collision only ends its own walk.
public struct PageFingerprint: Hashable, Sendable, Codable {
    private let high: UInt64
    private let low: UInt64

    /// Creates the fingerprint of keys in order.
    public init(keys: some Sequence<String>) {
        let prime: UInt128 = 1 << 88 | 0x13B
        var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        for key in keys {
            for byte in key.utf8 { hash = (hash ^ UInt128(byte)) &* prime }
            // This byte never occurs in UTF-8, so it separates keys.
            hash = (hash ^ 0xFF) &* prime
        }
        high = UInt64(truncatingIfNeeded: hash >> 64)
        low = UInt64(truncatingIfNeeded: hash)
    }

    /// The hash in hexadecimal digits.
    public var hexadecimal: String { String(high, radix: 16) + "-" + String(low, radix: 16) }
}
