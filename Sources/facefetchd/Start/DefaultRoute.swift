import FoundationEssentials

/// The machine's way to other networks.
enum DefaultRoute {
    /// True when there is a default route, over IPv4 or IPv6, or when that can't be told.
    static func exists(
        inIPv4 first: String = "/proc/net/route",
        orIPv6 second: String = "/proc/net/ipv6_route"
    ) -> Bool {
        let (first, second) = (text(first), text(second))
        guard first != nil || second != nil else { return true }
        return first.map(RoutingTable.hasDefaultRoute(inIPv4:)) ?? false
            || second.map(RoutingTable.hasDefaultRoute(inIPv6:)) ?? false
    }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
