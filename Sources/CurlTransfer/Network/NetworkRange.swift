/// A range of IP addresses, as `169.254.0.0/16` or `fe80::/10`.
public struct NetworkRange: Hashable, Sendable, CustomStringConvertible {
    private let address: IPAddress
    private let highMask: UInt64
    private let lowMask: UInt64

    /// The range as it was given.
    public let description: String

    /// Reads a range in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3), or one
    /// address; nil where it is neither.
    ///
    /// A range of IPv4 addresses holds their IPv4-mapped forms too.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
        let isShort = address.isIPv4 && !first.contains(":")
        let width = isShort ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard let given = Int(parts[1]), (0...width).contains(given) else { return nil }
            length = given
        }
        if isShort { length += 96 }
        highMask = Self.mask(bits: min(length, 64))
        lowMask = Self.mask(bits: max(length - 64, 0))
        self.address = address
        description = text
    }

    /// Link-local addresses, and the others where clouds keep credentials of
    /// the machine: AWS's IPv6 one and Alibaba's.
    public static let deniedByDefault: [NetworkRange] = [
        "169.254.0.0/16", "fe80::/10", "fd00:ec2::254", "100.100.100.200",
    ].compactMap(NetworkRange.init)

    func contains(_ other: IPAddress) -> Bool {
        (address.high ^ other.high) & highMask == 0 && (address.low ^ other.low) & lowMask == 0
    }

    private static func mask(bits: Int) -> UInt64 { bits == 0 ? 0 : ~0 << UInt64(64 - bits) }
}
