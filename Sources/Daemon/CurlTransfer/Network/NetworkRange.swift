/// A range of IP addresses, such as `169.254.0.0/16` or `fe80::/10`.
public struct NetworkRange: Hashable, Sendable, CustomStringConvertible {
    private let address: IPAddress
    private let highMask: UInt64
    private let lowMask: UInt64

    /// The range as written.
    public let description: String

    /// Creates the range of addresses that share the first `length` of 128 bits with an address.
    ///
    /// For IPv4 addresses this refers to their IPv4-mapped forms, whose first 96 bits are all the same.
    init(_ address: IPAddress, length: Int, description: String) {
        self.address = address
        highMask = Self.mask(bits: min(length, 64))
        lowMask = Self.mask(bits: max(length - 64, 0))
        self.description = description
    }

    /// Returns whether the range contains an address as written, without looking at embedded ones.
    func contains(_ other: IPAddress) -> Bool {
        (address.high ^ other.high) & highMask == 0 && (address.low ^ other.low) & lowMask == 0
    }

    private static func mask(bits: Int) -> UInt64 { bits == 0 ? 0 : ~0 << UInt64(64 - bits) }
}
