import Testing

@testable import facefetchd

@Suite("The status line", .timeLimit(.minutes(1)))
struct StatusLineTests {
    @Test("sends what is new at once, what follows after a while and only the last of it, and nothing twice")
    func paces() {
        var pace = StatusPace(text: "idle", nanoseconds: 100)
        #expect(pace.show("idle", now: 1000) == nil)
        #expect(pace.show("1 queued", now: 1000) == 1000)
        #expect(pace.due(now: 1001) == "1 queued")
        #expect(pace.show("2 queued", now: 1050) == 1101)
        for count in 3...9 { #expect(pace.show("\(count) queued", now: 1060) == nil) }
        #expect(pace.wanted == "9 queued")
        #expect(pace.due(now: 1101) == "9 queued")
        // Back to what was said before anything goes out: nothing goes out.
        #expect(pace.show("gone again", now: 1102) == 1201)
        #expect(pace.show("9 queued", now: 1103) == nil)
        #expect(pace.due(now: 1201) == nil)
        // Nothing was sent then, so that the next text needn't wait.
        #expect(pace.show("idle", now: 1300) == 1300)
        #expect(pace.due(now: 1300) == "idle")
    }

    @Test("sends from a queue of its own")
    func sends() async {
        let (texts, tell) = AsyncStream<String>.makeStream()
        let line = StatusLine(text: "idle", milliseconds: 1) { tell.yield($0) }
        line.show("1 queued")
        #expect(line.text == "1 queued")
        var received = texts.makeAsyncIterator()
        #expect(await received.next() == "1 queued")
        line.show("idle")
        #expect(await received.next() == "idle")
    }
}
