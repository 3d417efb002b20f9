import Testing

@testable import facefetchd

@Suite("The routing tables")
struct RoutingTableTests {
    private static let headings =
        "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
    private static let local = "eth0\t0000A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n"
    private static let fallback = "eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"

    static let tables4: [(name: String, table: String, hasDefault: Bool)] = [
        ("up", headings + fallback + local, true),
        ("up, behind others", headings + local + fallback, true),
        (
            "up, without a gateway",
            headings + "ppp0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0\n", true
        ),
        ("only a local network", headings + local, false),
        ("down", headings + "eth0\t00000000\t0100A8C0\t0002\t0\t0\t100\t00000000\t0\t0\t0\n", false),
        ("refusing", headings + "*\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0\n", false),
        (
            "refusing, and one that is up",
            headings + "*\t00000000\t00000000\t0201\t0\t0\t9\t00000000\t0\t0\t0\n" + fallback, true
        ),
        (
            "half of all addresses",
            headings + "tun0\t00000000\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0\n", false
        ),
        ("headings only", headings, false),
        ("empty", "", false),
        ("cut off before the mask", headings + "eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\n", false),
        ("cut off before the flags", headings + "eth0\t00000000\n", false),
        ("without headings the first line is not read", fallback, false),
        (
            "flags that are no number",
            headings + "eth0\t00000000\t0100A8C0\tzz\t0\t0\t100\t00000000\t0\t0\t0\n", false
        ),
    ]

    @Test("of IPv4 tell of a default route that is up", arguments: tables4)
    func version4(name: String, table: String, hasDefault: Bool) {
        #expect(RoutingTable.hasDefaultRoute(inIPv4: table) == hasDefault)
    }

    private static let zero = "00000000000000000000000000000000"
    private static let gateway = "fe800000000000000000000000000001"

    /// A line as the kernel writes it: flags in hex, and the interface padded to eight.
    private static func line(
        to destination: String = zero,
        prefix: String = "00",
        flags: String = "00450003",
        on interface: String = "    eth0"
    ) -> String {
        "\(destination) \(prefix) \(zero) 00 \(gateway) 00000064 00000001 00000000 \(flags) \(interface)\n"
    }

    private static let linkLocal = line(
        to: "fe800000000000000000000000000000",
        prefix: "40",
        flags: "00000001"
    )

    static let tables6: [(name: String, table: String, hasDefault: Bool)] = [
        ("up", line(), true),
        ("up, behind others", linkLocal + line(), true),
        ("only link-local", linkLocal, false),
        ("down", line(flags: "00450002"), false),
        ("refusing on lo", line(flags: "00200200", on: "      lo"), false),
        ("on lo, whatever its flags", line(flags: "00000001", on: "      lo"), false),
        ("refusing on another interface", line(flags: "00000201"), false),
        ("refusing on lo, and one that is up", line(flags: "00200200", on: "      lo") + line(), true),
        ("half of all addresses", line(prefix: "01"), false),
        ("one host of zeros", line(prefix: "80"), false),
        ("empty", "", false),
        (
            "cut off before the interface",
            "\(zero) 00 \(zero) 00 \(gateway) 00000064 00000001 00000000 00450003\n", false
        ),
        ("cut off before the prefix", "\(zero)\n", false),
        ("flags that are no number", line(flags: "zzzzzzzz"), false),
    ]

    @Test("of IPv6 tell the same", arguments: tables6)
    func version6(name: String, table: String, hasDefault: Bool) {
        #expect(RoutingTable.hasDefaultRoute(inIPv6: table) == hasDefault)
    }
}
