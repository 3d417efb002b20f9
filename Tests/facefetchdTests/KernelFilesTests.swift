import TestSupport
import Testing

@testable import facefetchd

@Suite("What the daemon reads from the kernel")
struct KernelFilesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("the boot's name is the first line; a missing or empty file has none")
    func bootID() throws {
        let name = "0e3a4b6e-9a54-4d5c-8c6e-0a0b6a1f3c11"
        #expect(BootID.current(at: try directory.write(Array("\(name)\n".utf8), to: "good")) == name)
        #expect(BootID.current(at: directory.path("missing")) == nil)
        #expect(BootID.current(at: try directory.write([], to: "empty")) == nil)
        #expect(BootID.current(at: try directory.write(Array("\n".utf8), to: "blank")) == nil)
        #expect(BootID.current(at: try directory.write([0xFF, 0xFE, 0x0A], to: "garbage")) == nil)
        #expect(BootID.current(at: directory.path) == nil)
    }

    @Test("this machine's boot has the same name at any time")
    func thisBoot() throws {
        let name = try #require(BootID.current())
        #expect(name.count == 36)
        #expect(BootID.current() == name)
    }

    @Test("a default route of either table is enough, and what can't be told counts as one")
    func defaultRoute() throws {
        let headings = "Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT\n"
        let up4 = headings + "eth0 00000000 0100A8C0 0003 0 0 100 00000000 0 0 0\n"
        let zero = String(repeating: "0", count: 32)
        let up6 = "\(zero) 00 \(zero) 00 \(zero) 00000064 00000001 00000000 00450003 eth0\n"
        let first = try directory.write(Array(up4.utf8), to: "route")
        let second = try directory.write(Array(up6.utf8), to: "ipv6_route")
        let none4 = try directory.write(Array(headings.utf8), to: "none4")
        let none6 = try directory.write([], to: "none6")
        let missing = directory.path("missing")
        #expect(DefaultRoute.exists(inIPv4: first, orIPv6: none6))
        #expect(DefaultRoute.exists(inIPv4: none4, orIPv6: second))
        #expect(DefaultRoute.exists(inIPv4: first, orIPv6: missing))
        #expect(DefaultRoute.exists(inIPv4: missing, orIPv6: second))
        #expect(!DefaultRoute.exists(inIPv4: none4, orIPv6: none6))
        #expect(!DefaultRoute.exists(inIPv4: none4, orIPv6: missing))
        #expect(!DefaultRoute.exists(inIPv4: missing, orIPv6: none6))
        #expect(DefaultRoute.exists(inIPv4: missing, orIPv6: missing))
    }
}
