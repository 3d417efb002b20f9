/// Lets at most so many events a second through to a page, and says how many it has left out.
///
/// Small files make 100,000 events a second, which no page can show and no person read. What is left out
/// is in the event log.
struct EventThinning: Sendable {
    /// Frames of events that pass in a second.
    static let perSecond = 500
    /// The longest frame that there can be, in bytes; a stream with a longer one is not the daemon's.
    static let longestFrame = 1 << 20

    /// Returns whether what is asked for is the past only: that has an end, and whoever asks for it wants its
    /// last lines rather than its first.
    static func isSpared(_ path: String) -> Bool {
        guard let query = path.firstIndex(of: "?") else { return false }
        return path[path.index(after: query)...].split(separator: "&").contains("follow=false")
    }

    /// A frame longer than any is.
    struct Oversize: Error {}

    private var partial: [UInt8] = []
    private var windowEnd = Duration.zero
    private var passed = 0
    private var omitted = 0

    /// The time when ``flush(now:)`` has something to say; nil while nothing has been left out.
    var due: Duration? { omitted > 0 ? windowEnd : nil }

    /// Consumes what has come, and returns what goes on.
    mutating func thin(_ bytes: some Collection<UInt8>, now: Duration) throws(Oversize) -> [UInt8] {
        var out = flush(now: now)
        partial.append(contentsOf: bytes)
        var start = partial.startIndex
        var index = start
        while index + 1 < partial.endIndex {
            // A frame ends with an empty line.
            guard partial[index] == 0x0A, partial[index + 1] == 0x0A else {
                index += 1
                continue
            }
            let frame = partial[start..<(index + 2)]
            if !isCounted(frame) {
                out += frame
            } else if passed < Self.perSecond {
                passed += 1
                out += frame
            } else {
                omitted += 1
            }
            start = index + 2
            index = start
        }
        partial.removeSubrange(..<start)
        guard partial.count <= Self.longestFrame else { throw Oversize() }
        return out
    }

    /// Begins a new second where one is over; says then what was left out.
    mutating func flush(now: Duration) -> [UInt8] {
        guard now >= windowEnd else { return [] }
        windowEnd = now + .seconds(1)
        passed = 0
        guard omitted > 0 else { return [] }
        defer { omitted = 0 }
        return Array("event: omitted\ndata: {\"count\":\(omitted)}\n\n".utf8)
    }

    /// Events and progress are counted; comments and notices always pass.
    private func isCounted(_ frame: ArraySlice<UInt8>) -> Bool {
        frame.first == UInt8(ascii: "i") || frame.starts(with: Array("event: progress\n".utf8))
    }
}
