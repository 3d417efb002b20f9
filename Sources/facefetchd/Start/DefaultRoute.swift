import FoundationEssentials

/// Whether the machine has a way to other networks.
enum DefaultRoute {
    /// True when there is a default route, over IPv4 or IPv6, or when that can't be told.
    static var exists: Bool {
        let (first, second) = (text("/proc/net/route"), text("/proc/net/ipv6_route"))
        guard first != nil || second != nil else { return true }
        return first.map(isInIPv4) ?? false || second.map(isInIPv6) ?? false
    }

    /// `/proc/net/route`: interface, destination, gateway, flags (RTF_UP 0x1, RTF_REJECT 0x200),
    /// and the mask as the eighth, in hex (proc(5)).
    static func isInIPv4(_ table: String) -> Bool {
        table.split(separator: "\n").dropFirst().contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 7, let flags = UInt32(fields[3], radix: 16) else { return false }
            return fields[1] == "00000000" && fields[7] == "00000000" && flags & 0x201 == 0x1
        }
    }

    /// `/proc/net/ipv6_route`: destination, its prefix length, and further on the flags and the
    /// interface; the kernel keeps a refusing default route on `lo`.
    static func isInIPv6(_ table: String) -> Bool {
        table.split(separator: "\n").contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 9, let flags = UInt32(fields[8], radix: 16) else { return false }
            let isDefault = fields[0].allSatisfy { $0 == "0" } && fields[1] == "00"
            return isDefault && fields[9] != "lo" && flags & 0x201 == 0x1
        }
    }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
