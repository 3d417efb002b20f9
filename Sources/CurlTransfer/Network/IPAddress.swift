import Glibc

/// An IP address as its 16 bytes; an IPv4 address as its IPv4-mapped form, so
/// that both spellings of one address are equal.
struct IPAddress: Hashable, Sendable {
    /// The first and the last 8 bytes, most significant first.
    let high: UInt64
    let low: UInt64

    /// Where the IPv4 addresses begin: ::ffff:0:0/96.
    static let mappedPrefix: UInt64 = 0x0000_FFFF << 32

    var isIPv4: Bool { high == 0 && low & ~0xFFFF_FFFF == Self.mappedPrefix }

    init(v4 address: UInt32) {
        high = 0
        low = Self.mappedPrefix | UInt64(address)
    }

    /// Sixteen bytes in network order.
    init(v6 bytes: UnsafeRawBufferPointer) {
        var halves: (UInt64, UInt64) = (0, 0)
        for index in 0..<8 { halves.0 = halves.0 << 8 | UInt64(bytes[index]) }
        for index in 8..<16 { halves.1 = halves.1 << 8 | UInt64(bytes[index]) }
        (high, low) = halves
    }

    /// Reads a numeric address, IPv4 or IPv6.
    init?(_ text: String) {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
            return
        }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        self = withUnsafeBytes(of: &v6) { IPAddress(v6: $0) }
    }

    /// Reads what a socket is about to connect to; nil for other families.
    init?(_ address: UnsafeRawPointer, length: Int) {
        let family = address.loadUnaligned(as: sockaddr.self).sa_family
        switch Int32(family) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let ip = address.loadUnaligned(as: sockaddr_in.self)
            self.init(v4: UInt32(bigEndian: ip.sin_addr.s_addr))
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            var ip = address.loadUnaligned(as: sockaddr_in6.self)
            self = withUnsafeBytes(of: &ip.sin6_addr) { IPAddress(v6: $0) }
        default:
            return nil
        }
    }
}
