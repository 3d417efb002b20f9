import NIOCore

/// One end of a TCP connection: an address and a port, the same however an IPv4 address is written.
struct SocketEnd: Hashable, Sendable {
    /// The address as IPv6 has it, in network order; IPv4 is inside that (RFC 4291 §2.5.5.2).
    private let address: [UInt8]
    private let port: Int

    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    /// An end as a socket has it; nil for one that isn't of the internet.
    init?(_ socket: SocketAddress) {
        guard let port = socket.port else { return nil }
        self.port = port
        switch socket {
        case .v4(let own): address = Self.mapped + withUnsafeBytes(of: own.address.sin_addr) { Array($0) }
        case .v6(let own): address = withUnsafeBytes(of: own.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: return nil
        }
    }

    /// An end as a row of /proc/net/tcp or tcp6 has it: words of the machine's byte order, and the port.
    init?(row: Substring) {
        let parts = row.split(separator: ":")
        guard parts.count == 2, let port = Int(parts[1], radix: 16) else { return nil }
        let digits = Array(parts[0].utf8)
        guard digits.count == 8 || digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 8) {
            let text = String(decoding: digits[start..<(start + 8)], as: UTF8.self)
            guard let word = UInt32(text, radix: 16) else { return nil }
            bytes += withUnsafeBytes(of: word) { Array($0) }
        }
        address = (bytes.count == 4 ? Self.mapped : []) + bytes
        self.port = port
    }

    /// Whether it is 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        if address.starts(with: Self.mapped) { return address[12] == 127 }
        return address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }
}
