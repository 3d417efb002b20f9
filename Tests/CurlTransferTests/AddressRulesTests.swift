import JobCore
import JobModel
import Testing
import Vocabulary

@testable import CurlTransfer

@Suite("Rules for addresses")
struct AddressRulesTests {
    private func refusal(
        of address: String,
        from origin: String? = nil,
        denied: [String] = [],
        _ privateByRedirect: PrivateByRedirect = .refuse
    ) throws -> AddressRules.Refusal? {
        let rules = AddressRules(
            denied: denied.compactMap { NetworkRange($0) },
            privateByRedirect: privateByRedirect
        )
        return rules.refusal(
            of: try #require(IPAddress(address)),
            isLedByPublic: try origin.map { !(try #require(IPAddress($0))).isPrivate } ?? false
        )
    }

    @Test(
        "deny an IPv4 address in whatever is translated or tunnelled to it",
        arguments: [
            "169.254.169.254", "::ffff:169.254.169.254", "::169.254.169.254", "::ffff:0:169.254.169.254",
            "64:ff9b::169.254.169.254", "64:ff9b:1::169.254.169.254", "64:ff9b:1:a9fe:a9:fe00::",
            "64:ff9b:1:12a9:fe:a9fe::", "64:ff9b:1:1234:a9:fea9:fe00:0", "2002:a9fe:a9fe::1",
            "2001:0:808:808::5601:5601", "2001:0:a9fe:a9fe::1", "2600::5efe:a9fe:a9fe",
            "2600::200:5efe:169.254.169.254",
        ]
    )
    func embedded(address: String) throws {
        #expect(try refusal(of: address, denied: ["169.254.0.0/16"]) == .denied)
        #expect(try refusal(of: address, from: "8.8.8.8") == .privateByRedirect)
    }

    @Test(
        "leave alone what leads nowhere denied",
        arguments: [
            "8.8.8.8", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "2600::1",
            "2001:0:808:808::f7f7:f7f7", "64:ff9b:1::8.8.8.8", "64:ff9b:1:808:8:800::",
            "64:ff9b:1:1234:8:808:800:0", "2600::5efe:8.8.8.8",
        ]
    )
    func harmless(address: String) throws {
        #expect(try refusal(of: address, from: "8.8.4.4", denied: ["169.254.0.0/16", "127.0.0.0/8"]) == nil)
    }

    @Test(
        "deny loopback where no address is given, which Linux takes for its own",
        arguments: ["0.0.0.0", "::", "::ffff:0.0.0.0", "64:ff9b::", "127.8.9.10", "::127.0.0.1"]
    )
    func unspecified(address: String) throws {
        #expect(try refusal(of: address, denied: ["127.0.0.0/8"]) == .denied)
    }

    @Test("deny IPv6 loopback by its unspecified address, and IPv4's not by the other's range")
    func unspecifiedV6() throws {
        #expect(try refusal(of: "::", denied: ["::1"]) == .denied)
        #expect(try refusal(of: "0.0.0.0", denied: ["::1"]) == nil)
        #expect(try refusal(of: "::1", denied: ["0.0.0.0/8"]) == nil)
    }

    @Test(
        "refuse redirects from public addresses to private ones, and no others",
        arguments: [
            "127.0.0.1", "::1", "0.0.0.0", "10.1.2.3", "172.31.255.1", "192.168.1.1", "100.64.0.1",
            "169.254.1.1", "fd12::1", "fe80::1", "64:ff9b::10.0.0.1", "198.18.0.1", "2001:2::1",
            "3fff::1", "5f00::1", "64:ff9b:1::10.0.0.1",
        ]
    )
    func redirects(address: String) throws {
        #expect(try refusal(of: address, from: "93.184.216.34") == .privateByRedirect)
        #expect(try refusal(of: address, from: "2600::1") == .privateByRedirect)
        #expect(try refusal(of: address, from: "93.184.216.34", .allow) == nil)
        #expect(try refusal(of: address) == nil, "somebody typed it")
        #expect(try refusal(of: address, from: "10.0.0.1") == nil)
        #expect(try refusal(of: "93.184.216.34", from: address) == nil)
        #expect(try refusal(of: "172.32.0.1", from: "93.184.216.34") == nil)
    }

    @Test(
        "read a host in any form that leads to an address",
        arguments: [
            "127.0.0.1", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.0.0.1.", "localhost",
            "localhost.", "a.localhost",
        ]
    )
    func hosts(host: String) throws { #expect(IPAddress(host: host) == IPAddress("127.0.0.1")) }

    @Test("read a zone as no part of an address, and a name as none")
    func names() {
        #expect(IPAddress(host: "fe80::1%25eth0") == IPAddress("fe80::1"))
        for name in ["example.org", "notlocalhost", "a.1.2.3", "", ".", "1.2.3.4.5", "256.1.1.1"] {
            #expect(IPAddress(host: name) == nil)
        }
    }
}
