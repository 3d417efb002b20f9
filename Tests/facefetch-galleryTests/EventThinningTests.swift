import Testing

@testable import facefetch_gallery

@Suite("Thinning out what no page can show")
struct EventThinningTests {
    private func event(_ id: Int) -> String { "id: \(id)\nevent: job\ndata: {}\n\n" }

    private func thin(_ thinning: inout EventThinning, _ text: String, at seconds: Double) throws -> String {
        String(decoding: try thinning.thin(Array(text.utf8), now: .seconds(seconds)), as: UTF8.self)
    }

    @Test("500 events of a second pass, and how many did not is said when it is over")
    func limit() throws {
        var thinning = EventThinning()
        let many = (1...1234).map(event).joined()
        let passed = try thin(&thinning, many, at: 0)
        #expect(passed == (1...500).map(event).joined())
        #expect(thinning.due == .seconds(1))
        #expect(thinning.flush(now: .milliseconds(999)).isEmpty)
        let told = String(decoding: thinning.flush(now: .seconds(1)), as: UTF8.self)
        #expect(told == "event: omitted\ndata: {\"count\":734}\n\n")
        #expect(thinning.due == nil)
        #expect(try thin(&thinning, event(1235), at: 1.1) == event(1235))
    }

    @Test("what is said of what was left out comes before what comes next")
    func order() throws {
        var thinning = EventThinning()
        _ = try thin(&thinning, (1...501).map(event).joined(), at: 0)
        let next = try thin(&thinning, event(502), at: 3)
        #expect(next == "event: omitted\ndata: {\"count\":1}\n\n" + event(502))
    }

    @Test("comments and notices always pass, and frames may come in any pieces")
    func pieces() throws {
        var thinning = EventThinning()
        _ = try thin(&thinning, (1...501).map(event).joined(), at: 0)
        #expect(
            try thin(&thinning, ": alive\n\nevent: missed\ndata: {}\n\n", at: 0.1)
                == ": alive\n\nevent: missed\ndata: {}\n\n"
        )
        var other = EventThinning()
        var whole = ""
        for byte in event(1).utf8 { whole += try thin(&other, String(UnicodeScalar(byte)), at: 0) }
        #expect(whole == event(1))
    }

    @Test(
        "the past is spared, and nothing else",
        arguments: [
            ("/v1/events?follow=false&since=x", true), ("/v1/events?after=1&follow=false", true),
            ("/v1/events", false), ("/v1/events?follow=true", false), ("/v1/events?xfollow=false", false),
            ("/v1/events/follow=false", false),
        ]
    )
    func past(path: String, isSpared: Bool) {
        #expect(EventThinning.isSpared(path) == isSpared)
    }

    @Test("a frame without an end is not collected for ever")
    func oversize() {
        var thinning = EventThinning()
        #expect(throws: EventThinning.Oversize.self) {
            try thinning.thin([UInt8](repeating: 65, count: EventThinning.longestFrame + 1), now: .zero)
        }
    }
}
