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
        """

    @Test("the kernel says whose a connection is, by the side that has made it")
    func users() {
        #expect(LoopbackPeer.user(in: table, from: 0xA0B0, to: 0x1FFF) == 1000)
        #expect(LoopbackPeer.user(in: table, from: 0x1FFF, to: 0xA0B0) == 0)
        // Not over the loopback interface, and not there.
        #expect(LoopbackPeer.user(in: table, from: 0xA0B1, to: 0x1FFF) == nil)
        #expect(LoopbackPeer.user(in: table, from: 1, to: 0x1FFF) == nil)
        let mapped = """
              sl  local_address                         remote_address                        st tx:rx tr:tm retrnsmt uid
               0: 0000000000000000FFFF00000100007F:A0B0 0000000000000000FFFF00000100007F:1FFF 01 0:0 0:0 0 1002 0 1
            """
        #expect(LoopbackPeer.user(in: mapped, from: 0xA0B0, to: 0x1FFF) == 1002)
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
