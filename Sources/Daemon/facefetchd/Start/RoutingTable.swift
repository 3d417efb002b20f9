/// Looks for default routes in the kernel's routing tables.
///
/// proc(5) documents the files, route(8) the columns, and `linux/route.h` the flags.
enum RoutingTable {
    /// The flag of a usable route.
    private static let up: UInt32 = 0x1
    /// The flag of a route that rejects packets.
    private static let reject: UInt32 = 0x200

    /// Returns whether `/proc/net/route` has a default route that is up.
    ///
    /// After a heading line, the columns are interface, destination, gateway and flags, with the mask as
    /// the eighth, in hex.
    static func hasDefaultRoute(inIPv4 table: String) -> Bool {
        table.split(separator: "\n").dropFirst().contains { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 7, let flags = UInt32(fields[3], radix: 16) else { return false }
            return fields[1] == "00000000" && fields[7] == "00000000" && isUsable(flags)
        }
    }

    /// Returns whether `/proc/net/ipv6_route` has a default route that is up.
    ///
    /// Without a heading line, the columns are the destination and its prefix length, and further on the
    /// flags and the interface. The kernel keeps a rejecting default route on `lo`.
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
