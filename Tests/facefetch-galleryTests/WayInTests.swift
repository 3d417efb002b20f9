import NIOCore
import Synchronization
import Testing

@testable import facefetch_gallery

@Suite("The way into a gallery")
struct WayInTests {
    @Test("a token works once, for a minute, and until there is another")
    func invitation() {
        let invitation = Invitation()
        let now = ContinuousClock.now
        let first = invitation.renew(now: now)
        #expect(!invitation.redeem("", now: now) && !invitation.redeem(first + "0", now: now))
        #expect(invitation.redeem(first, now: now + .seconds(59)))
        #expect(!invitation.redeem(first, now: now + .seconds(59)))
        let late = invitation.renew(now: now)
        #expect(!invitation.redeem(late, now: now + .seconds(60)))
        let replaced = invitation.renew(now: now)
        let last = invitation.renew(now: now)
        #expect(!invitation.redeem(replaced, now: now) && invitation.redeem(last, now: now))
    }

    @Test("secrets have 128 bits, and no two are the same")
    func secrets() {
        let secrets = Set((0..<100).map { _ in Secret().text })
        #expect(secrets.count == 100 && secrets.allSatisfy { $0.utf8.count == 32 })
    }

    @Test("the cookie is for this gallery, and for no script")
    func cookie() {
        let cookie = Session(port: 4242).setCookie
        #expect(cookie.hasPrefix("facefetch-4242=") && cookie.contains("; HttpOnly; SameSite=Strict; Path=/"))
    }

    @Test(
        "a token is read from JSON, and from nothing else",
        arguments: [
            (#"{"token":"0af1"}"#, "0af1"), (" {\n\"token\" : \"ab\" }\n", "ab"), (#"{"token":""}"#, nil),
            (#"{"token":"a","b":1}"#, nil), (#"{"token":"<x>"}"#, nil), ("token=ab", nil), ("", nil),
            (#"{"token":"ab"} x"#, nil),
        ] as [(String, String?)]
    )
    func tokens(body: String, token: String?) { #expect(TokenBody.token(in: body.utf8) == token) }

    /// As Linux 6.1 has it, little-endian.
    private let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1FFF 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 100 1
           1: 0100007F:A0B0 0100007F:1FFF 01 00000000:00000000 00:00000000 00000000  1000        0 101 1
           2: 0100007F:1FFF 0100007F:A0B0 01 00000000:00000000 00:00000000 00000000     0        0 102 1
           3: 0A00000A:A0B1 0100007F:1FFF 01 00000000:00000000 00:00000000 00000000  1001        0 103 1
           4: 0100007F:A0B2 0100007F:1FFF 05 00000000:00000000 00:00000000 00000000     0        0 0 1
        """

    private func end(_ address: String, _ port: Int) throws -> SocketEnd {
        try #require(SocketEnd(SocketAddress(ipAddress: address, port: port)))
    }

    @Test("the kernel says whose a connection is, by the side that has made it")
    func users() throws {
        let (own, peer) = (try end("127.0.0.1", 0x1FFF), try end("127.0.0.1", 0xA0B0))
        #expect(LoopbackPeer.user(in: table, from: peer, to: own) == 1000)
        #expect(LoopbackPeer.user(in: table, from: own, to: peer) == 0)
        // Not over the loopback interface, and not there.
        #expect(LoopbackPeer.user(in: table, from: try end("127.0.0.1", 0xA0B1), to: own) == nil)
        #expect(LoopbackPeer.user(in: table, from: try end("10.0.0.10", 0xA0B1), to: own) == nil)
        #expect(LoopbackPeer.user(in: table, from: try end("127.0.0.1", 1), to: own) == nil)
        // With the port of another's connection, and another address.
        #expect(LoopbackPeer.user(in: table, from: try end("127.0.0.2", 0xA0B0), to: own) == nil)
        #expect(LoopbackPeer.user(in: table, from: peer, to: try end("127.0.0.2", 0x1FFF)) == nil)
        // Whose process is gone: the kernel calls that root's.
        #expect(LoopbackPeer.user(in: table, from: try end("127.0.0.1", 0xA0B2), to: own) == nil)
    }

    @Test("an IPv4 address is the same when a socket of IPv6 has it")
    func mapped() throws {
        let mapped = """
              sl  local_address                         remote_address                        st tx:rx tr:tm retrnsmt uid
               0: 0000000000000000FFFF00000100007F:A0B0 0000000000000000FFFF00000100007F:1FFF 01 0:0 0:0 0 1002 0 1 1
               1: 00000000000000000000000001000000:A0B0 00000000000000000000000001000000:1FFF 01 0:0 0:0 0 1003 0 1 1
            """
        let ends = { try (self.end($0, 0xA0B0), self.end($0, 0x1FFF)) }
        let (peer, own) = try ends("127.0.0.1")
        #expect(LoopbackPeer.user(in: mapped, from: peer, to: own) == 1002)
        let (written, other) = try ends("::ffff:127.0.0.1")
        #expect(written == peer && other == own)
        let (sixth, its) = try ends("::1")
        #expect(LoopbackPeer.user(in: mapped, from: sixth, to: its) == 1003)
        #expect(LoopbackPeer.user(in: table, from: sixth, to: its) == nil)
    }

    @Test("of a request that is over nothing is left, and one under way ends with the connection")
    func exchanges() {
        final class Daemon: Sendable {
            let ends = Atomic(0)
            func close() { ends.add(1, ordering: .relaxed) }
        }
        let current = CurrentExchange()
        weak var left: Daemon?
        do {
            let first = Daemon()
            left = first
            current.begin { first.close() }
            current.finish()
        }
        #expect(left == nil)
        let (second, late) = (Daemon(), Daemon())
        current.begin { second.close() }
        current.browserLeft()
        current.browserLeft()
        #expect(second.ends.load(ordering: .relaxed) == 1)
        current.begin { late.close() }
        #expect(late.ends.load(ordering: .relaxed) == 1)
    }

    @Test("a quiet time has a unit", arguments: [("90", 90), ("30m", 1800), ("2h", 7200), ("1d", 86400)])
    func quietTimes(text: String, seconds: Int) {
        #expect(QuietTime(argument: text)?.duration == .seconds(seconds))
    }

    @Test(
        "what is no time is refused",
        arguments: ["", "0", "h", "1w", "-1", "1.5h", "99999999999999999999"]
    )
    func noTimes(text: String) { #expect(QuietTime(argument: text) == nil) }
}
