import Testing

@testable import CurlTransfer

@Suite("A range of networks")
struct NetworkRangeTests {
    private func contains(_ range: String, _ address: String) throws -> Bool {
        try #require(NetworkRange(range)).contains(#require(IPAddress(address)))
    }

    @Test("holds the addresses that share its prefix, and no others")
    func prefixes() throws {
        #expect(try contains("169.254.0.0/16", "169.254.169.254"))
        #expect(try !contains("169.254.0.0/16", "169.255.0.1"))
        #expect(try contains("10.1.2.3", "10.1.2.3"))
        #expect(try !contains("10.1.2.3", "10.1.2.4"))
        #expect(try contains("fe80::/10", "febf::1"))
        #expect(try !contains("fe80::/10", "fec0::1"))
        #expect(try contains("2001:db8::/65", "2001:db8::7fff:0:0:1"))
        #expect(try !contains("2001:db8::/65", "2001:db8::8000:0:0:1"))
    }

    @Test("of IPv4 addresses holds their IPv4-mapped forms")
    func mapped() throws {
        #expect(try contains("169.254.0.0/16", "::ffff:169.254.169.254"))
        #expect(try contains("::ffff:169.254.0.0/112", "169.254.1.1"))
        #expect(try contains("0.0.0.0/0", "8.8.8.8"))
        #expect(try !contains("0.0.0.0/0", "2001:db8::1"))
    }

    @Test(
        "denied by default is where clouds keep credentials",
        arguments: [
            "169.254.169.254", "169.254.170.2", "fe80::1", "fd00:ec2::254", "100.100.100.200",
            "::ffff:100.100.100.200", "fd00:ec2::23", "fd20:ce::254", "fd00:c1::a9fe:a9fe", "168.63.129.16",
        ]
    )
    func defaults(address: String) throws {
        let ip = try #require(IPAddress(address))
        #expect(NetworkRange.deniedByDefault.contains { $0.contains(ip) })
    }

    @Test(
        "denied by default is nowhere else",
        arguments: ["127.0.0.1", "::1", "192.168.1.1", "100.100.100.201"]
    )
    func allowed(address: String) throws {
        let ip = try #require(IPAddress(address))
        #expect(!NetworkRange.deniedByDefault.contains { $0.contains(ip) })
    }

    @Test(
        "is nothing that can't be read",
        arguments: [
            "", "/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0/8", "::/129", "example.org",
            "1.2.3.4/8/9",
        ]
    )
    func unreadable(_ text: String) { #expect(NetworkRange(text) == nil) }
}
