import Glibc

extension IPAddress {
    /// Creates an address from sixteen bytes in network order.
    init(v6 bytes: UnsafeRawBufferPointer) {
        var halves: (UInt64, UInt64) = (0, 0)
        for index in 0..<8 { halves.0 = halves.0 << 8 | UInt64(bytes[index]) }
        for index in 8..<16 { halves.1 = halves.1 << 8 | UInt64(bytes[index]) }
        self.init(high: halves.0, low: halves.1)
    }

    /// Parses a numeric address, IPv4 or IPv6.
    init?(_ text: String) {
        // inet_pton(3) would read up to there.
        guard !text.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
            return
        }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        self = withUnsafeBytes(of: &v6) { IPAddress(v6: $0) }
    }

    /// Parses a URL's host if it is an address in any form that libcurl and resolvers accept (`127.1`,
    /// `0x7f000001`; inet_aton(3)), without its zone (RFC 6874), or a name that always stands for this
    /// machine.
    init?(host: String) {
        let isRooted = host.utf8.last == UInt8(ascii: ".")
        let host = isRooted ? String(host.utf8.dropLast()) ?? host : host
        // Byte by byte, since each request asks: names and addresses are ASCII here.
        if host.utf8.elementsEqual(Self.localhost)
            || host.utf8.count > Self.localhost.count
                && host.utf8.suffix(10).elementsEqual(Self.belowLocalhost)
        {
            self = .loopbackV4
            return
        }
        if host.utf8.contains(UInt8(ascii: ":")) {
            self.init(String(host.prefix { $0 != "%" }))
            return
        }
        var v4 = in_addr()
        // inet_aton ignores anything after white space, of which none is in a number.
        let isPlain = host.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isPlain, inet_aton(host, &v4) == 1 else { return nil }
        self.init(v4: UInt32(bigEndian: v4.s_addr))
    }

    private static let localhost = Array("localhost".utf8)
    private static let belowLocalhost = Array(".localhost".utf8)

    /// Reads the address that a socket is about to connect to; nil for other families.
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
