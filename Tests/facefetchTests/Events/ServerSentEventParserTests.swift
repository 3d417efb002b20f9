import Testing

@testable import facefetch

@Suite("Reading an event stream")
struct ServerSentEventParserTests {
    private func events(_ text: String, pieces size: Int = .max) -> [ServerSentEvent] {
        var parser = ServerSentEventParser()
        var rest = Array(text.utf8)[...]
        var events: [ServerSentEvent] = []
        while !rest.isEmpty {
            events += parser.feed(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return events
    }

    private let stream = """
        : hello

        event: job
        id: 7
        data: {"a": "é"}

        data:one
        data: two

        event: missed
        data

        unknown: field
        event: unfinished
        """

    @Test("An id alone says where the stream begins, and a comment says nothing")
    func place() {
        #expect(
            events(": following\nid: 7\n\n: alive\n\nevent: job\ndata: 1\n\n") == [
                ServerSentEvent(name: "message", data: "", id: "7"),
                ServerSentEvent(name: "job", data: "1", id: nil),
            ]
        )
    }

    @Test("Events are the same however the bytes are cut", arguments: [1, 2, 3, 7, Int.max])
    func pieces(size: Int) {
        #expect(
            events(stream, pieces: size) == [
                ServerSentEvent(name: "job", data: "{\"a\": \"é\"}", id: "7"),
                ServerSentEvent(name: "message", data: "one\ntwo", id: nil),
                ServerSentEvent(name: "missed", data: "", id: nil),
            ]
        )
    }

    @Test("All three line ends of the standard are taken", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) {
        let text = "event: job\ndata: x\n\nevent: progress\ndata: y\n\n".replacing("\n", with: end)
        #expect(events(text, pieces: 1).map(\.data) == ["x", "y"])
    }

    @Test("Comments alone are no event")
    func comments() { #expect(events(": alive\n\n: alive\n\n").isEmpty) }
}
