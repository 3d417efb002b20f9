import NIOCore

/// One end of a TCP connection: an address and a port, the same however an IPv4 address is written.
struct SocketEnd: Hashable, Sendable {
    /// The address as IPv6 has it, in network order; IPv4 is inside that (RFC 4291 §2.5.5.2).
    let address: [UInt8]
    /// The port.
    let port: UInt16

    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    /// An end as a socket has it; nil for one that isn't of the internet.
    init?(_ socket: SocketAddress) {
        guard let port = socket.port.flatMap(UInt16.init(exactly:)) else { return nil }
        self.port = port
        switch socket {
        case .v4(let own): address = Self.mapped + withUnsafeBytes(of: own.address.sin_addr) { Array($0) }
        case .v6(let own): address = withUnsafeBytes(of: own.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: return nil
        }
    }

    /// An end as a row of /proc/net/tcp or tcp6 has it: words of the machine's byte order, and the port.
    init?(row: ArraySlice<UInt8>) {
        guard let colon = row.firstIndex(of: UInt8(ascii: ":")),
            let port = Self.number(row[(colon + 1)...], digits: 4)
        else { return nil }
        let words = row[..<colon]
        guard words.count == 8 || words.count == 32 else { return nil }
        var bytes: [UInt8] = words.count == 8 ? Self.mapped : []
        bytes.reserveCapacity(16)
        for start in stride(from: words.startIndex, to: words.endIndex, by: 8) {
            guard let word = Self.number(words[start..<(start + 8)], digits: 8) else { return nil }
            withUnsafeBytes(of: word) { bytes += $0 }
        }
        address = bytes
        self.port = UInt16(truncatingIfNeeded: port)
    }

    private static func number(_ text: ArraySlice<UInt8>, digits: Int) -> UInt32? {
        guard text.count == digits else { return nil }
        var number: UInt32 = 0
        for byte in text {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            number = number << 4 | UInt32(digit)
        }
        return number
    }

    private var isIPv4: Bool { address.starts(with: Self.mapped) }

    /// True if it is 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        if isIPv4 { return address[12] == 127 }
        return address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }

    /// The network that the address belongs to, as far as it tells.
    ///
    /// That is an IPv4 address by itself, and of an IPv6 address the first 64 bits, since who has one has all that
    /// begin so (RFC 4291 §2.5.1). This machine is one.
    var network: [UInt8] {
        if isLoopback { return [] }
        return isIPv4 ? address : Array(address.prefix(8))
    }
}
