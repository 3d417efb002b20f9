@testable import facefetch
@testable import facefetch_gallery

/// A stream of events, as the client reads it, and as a gallery lets it through.
enum EventStreamTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let pieces = Pieces(of: bytes)
        let events = events(of: [bytes[...]])
        try promise(
            events == Self.events(of: pieces.all),
            "the same bytes in pieces of \(pieces.length) are other events"
        )
        for event in events {
            let id = event.id.map { "id: \($0)\n" } ?? ""
            let data = event.data.split(separator: "\n", omittingEmptySubsequences: false)
            let text = "\(id)event: \(event.name)\n" + data.map { "data: \($0)\n" }.joined() + "\n"
            try promise(
                Self.events(of: [Array(text.utf8)[...]]) == [event],
                "an event isn't the same after it was written again"
            )
        }
        try checkThinning(bytes, pieces.all)
        return events.first?.data
    }

    private static func events(of pieces: [ArraySlice<UInt8>]) -> [ServerSentEvent] {
        var parser = ServerSentEventParser()
        return pieces.flatMap { parser.feed(Array($0)) }
    }

    /// As many events as a page can show all pass, as far as they are whole.
    private static func checkThinning(_ bytes: [UInt8], _ pieces: [ArraySlice<UInt8>]) throws(BrokenPromise) {
        var (whole, pieced) = (EventThinning(), EventThinning())
        var (passed, rest): ([UInt8], [UInt8]) = ([], [])
        do throws(EventThinning.Oversize) {
            passed = try whole.thin(bytes, now: .zero)
            for piece in pieces { rest += try pieced.thin(piece, now: .zero) }
        } catch {
            throw BrokenPromise(description: "a short stream is too long")
        }
        try promise(passed == rest, "other events pass where they come in pieces of another length")
        let ends = zip(bytes, bytes.dropFirst()).count { $0 == 0x0A && $1 == 0x0A }
        try promise(
            ends > EventThinning.perSecond ? passed.count <= bytes.count : bytes.starts(with: passed),
            "something passes that didn't come"
        )
        try promise(passed.isEmpty || passed.suffix(2) == [0x0A, 0x0A], "half a frame passes")
    }
}
