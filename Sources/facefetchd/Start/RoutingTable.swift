/// Reads the kernel's routing tables: whether there is a way to other networks.
///
/// Where the tables are, proc(5) says; what is in them, route(8); the flags are those of `linux/route.h`.
enum RoutingTable {
    /// The route is usable.
    private static let up: UInt32 = 0x1
    /// The route refuses what it is asked to carry.
    private static let reject: UInt32 = 0x200

    /// Whether `/proc/net/route` has a default route that is up.
    ///
    /// After a line of headings: interface, destination, gateway, flags, and the mask as the eighth, in hex.
    static func hasDefaultRoute(inIPv4 table: String) -> Bool {
        table.split(separator: "\n").dropFirst().contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 7, let flags = UInt32(fields[3], radix: 16) else { return false }
            return fields[1] == "00000000" && fields[7] == "00000000" && isUsable(flags)
        }
    }

    /// Whether `/proc/net/ipv6_route` has a default route that is up.
    ///
    /// Without headings: destination, its prefix length, and further on the flags and the
    /// interface; the kernel keeps a refusing default route on `lo`.
    static func hasDefaultRoute(inIPv6 table: String) -> Bool {
        table.split(separator: "\n").contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 9, let flags = UInt32(fields[8], radix: 16) else { return false }
            let isDefault = fields[0].allSatisfy { $0 == "0" } && fields[1] == "00"
            return isDefault && fields[9] != "lo" && isUsable(flags)
        }
    }

    private static func isUsable(_ flags: UInt32) -> Bool { flags & (up | reject) == up }
}
