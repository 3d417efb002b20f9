/// An IP address of 16 bytes.
///
/// An IPv4 address is held in its IPv4-mapped form, so that both spellings of it are equal.
struct IPAddress: Hashable, Sendable {
    /// The first 8 bytes, most significant first; `low` has the last.
    let high: UInt64
    let low: UInt64

    /// Creates an IPv4 address.
    init(v4 address: UInt32) { self.init(high: 0, low: Self.mappedPrefix | UInt64(address)) }

    /// Creates an IPv6 address from its first and last 8 bytes, most significant first.
    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The address that `localhost` stands for (RFC 6761 §6.3).
    static let loopbackV4 = IPAddress(v4: 0x7F00_0001)

    /// True if this is an IPv4 address, in either spelling.
    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The prefix of IPv4 addresses, ::ffff:0:0/96 (RFC 4291 §2.5.5.2).
    private static let mappedPrefix: UInt64 = 0xFFFF << 32

    /// The address itself and every other that a connection to it may end at.
    ///
    /// An address for translators or tunnels leads to the IPv4 address inside it, and Linux connects to
    /// itself for the unspecified addresses (0.0.0.0 and ::).
    var destinations: [IPAddress] {
        var found = [self]
        for inner in embedded.map(IPAddress.init(v4:)) {
            found.append(inner)
            if inner == .unspecifiedV4 { found.append(.loopbackV4) }
        }
        if self == .unspecifiedV4 { found.append(.loopbackV4) }
        if self == .unspecified { found += [.loopback, .loopbackV4] }
        return found
    }

    private static let unspecified = IPAddress(high: 0, low: 0)
    private static let loopback = IPAddress(high: 0, low: 1)
    private static let unspecifiedV4 = IPAddress(v4: 0)

    /// The IPv4 addresses embedded in an IPv6 address.
    private var embedded: [UInt32] {
        let last = UInt32(truncatingIfNeeded: low)
        // IPv4-compatible: ::/96 (RFC 4291 §2.5.5.1), and IPv4-translated: ::ffff:0:0:0/96 (RFC 2765).
        if high == 0, low >> 32 == 0, last > 1 { return [last] }
        if high == 0, low >> 32 == 0xFFFF_0000 { return [last] }
        if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 { return [last] }  // NAT64: 64:ff9b::/96 (RFC 6052)
        if high >> 16 == 0x0064_FF9B_0001 { return translated }  // NAT64: 64:ff9b:1::/48 (RFC 8215)
        if high >> 48 == 0x2002 { return [UInt32(truncatingIfNeeded: high >> 16)] }  // 6to4 (RFC 3056)
        // Teredo: 2001::/32, with the relay's and the inverted client's address (RFC 4380 §4).
        if high >> 32 == 0x2001_0000 { return [UInt32(truncatingIfNeeded: high), ~last] }
        // ISATAP: any prefix, then 0:5efe or 200:5efe (RFC 5214 §6.1).
        if low >> 32 & ~0x0200_0000 == 0x5EFE { return [last] }
        return []
    }

    /// The IPv4 addresses at all places where a translator with its own prefix in 64:ff9b:1::/48 may
    /// have put one, since the right place can't be seen from outside (RFC 6052 §2.2).
    private var translated: [UInt32] {
        let bytes = (high.bigEndianBytes + low.bigEndianBytes).map(UInt32.init)
        let places = [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], [12, 13, 14, 15]]
        let addresses = places.map { place in place.reduce(0) { $0 << 8 | bytes[$1] } }
        // An address that begins with a zero is the empty rest of the prefix, or can't be connected to.
        let likely = addresses.filter { $0 >> 24 != 0 }
        return likely.isEmpty ? addresses : likely
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
    }
}
