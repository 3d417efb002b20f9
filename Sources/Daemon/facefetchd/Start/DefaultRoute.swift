import FoundationEssentials

/// The machine's route to other networks.
enum DefaultRoute {
    /// Returns whether there is a default route over IPv4 or IPv6; true if that can't be determined.
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
