import ArgumentParser
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

    @Test("what is behind a session's prefix is found behind that alone")
    func prefixes() {
        let (session, other) = (Session(port: 4242), Session(port: 4242))
        let prefix = session.prefix
        #expect(prefix.wholeMatch(of: /\/s\/[0-9a-f]{32}/) != nil && prefix != other.prefix)
        #expect(session.target(behindPrefixOf: prefix + "/v1/jobs?q=a/s/b") == "/v1/jobs?q=a/s/b")
        #expect(
            session.target(behindPrefixOf: prefix) == ""
                && session.target(behindPrefixOf: prefix + "/") == "/"
        )
        let wrong = [
            "", "/", "/s/", "/s//v1/jobs", "/v1/jobs", other.prefix + "/v1/jobs",
            String(prefix.dropLast()) + "/v1/jobs",
            prefix + "0/v1/jobs", prefix + "?/v1/jobs", prefix + "\u{301}/v1/jobs", "/" + prefix + "/v1/jobs",
            prefix.uppercased() + "/v1/jobs", "/s/\u{301}\(prefix.dropFirst(3))/v1/jobs",
        ]
        for target in wrong { #expect(session.target(behindPrefixOf: target) == nil, "\(target)") }
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

    @Test("a browser that closes its half has its answer still, but no events any more")
    func halfClosed() {
        final class Daemon: Sendable {
            let ends = Atomic(0)
            func close() { ends.add(1, ordering: .relaxed) }
        }
        let current = CurrentExchange()
        let (page, events, late) = (Daemon(), Daemon(), Daemon())
        current.begin { page.close() }
        current.inputEnded()
        #expect(page.ends.load(ordering: .relaxed) == 0)
        current.finish()
        current.begin(isEndless: true) { late.close() }
        #expect(late.ends.load(ordering: .relaxed) == 1)
        let other = CurrentExchange()
        other.begin(isEndless: true) { events.close() }
        other.inputEnded()
        #expect(events.ends.load(ordering: .relaxed) == 1)
    }

    @Test("a quiet time has a unit", arguments: [("90", 90), ("30m", 1800), ("2h", 7200), ("1d", 86400)])
    func quietTimes(text: String, seconds: Int) throws {
        #expect(try GalleryOptions.quietTime(text) == .seconds(seconds))
    }

    @Test(
        "what is no time is refused",
        arguments: ["", "0", "h", "1y", "-1", "0.5s", "367d", "99999999999999999999"]
    )
    func noTimes(text: String) {
        #expect(throws: ValidationError.self) { try GalleryOptions.quietTime(text) }
    }
}
