import JobCore

/// Decides which bytes of one file are fetched by which of several streams.
///
/// Every byte is in one place at a time: held, the business of one stream, or
/// open. A stream that has nothing left takes a piece of the first open range,
/// so that the file comes from its first byte to its last, about a piece a
/// stream out of order, and can be hashed meanwhile. Pieces get smaller towards
/// the end, by guided self-scheduling (Polychronopoulos and Kuck, 1987), and
/// once nothing is open, a stream takes half of what the busiest other one
/// still has to do; so all of them end at about the same time, whatever their
/// speeds. When a stream fails, its left neighbour takes over, as far as its
/// own response reaches: a server that knows no ranges serves the file in one
/// response, and nothing is lost.
struct SegmentPlan: Hashable, Sendable {
    /// Files up to this many bytes are fetched by one stream.
    static let threshold: Int64 = 32 << 20
    /// The fewest bytes worth a request of their own.
    static let minimumLength: Int64 = 1 << 20
    /// The fewest bytes of a piece, as long as there are so many.
    ///
    /// What is out of order when the last byte arrives is hashed after it: of four streams
    /// at most 24 MiB, a tenth of a second's work.
    static let shortestPiece: Int64 = 8 << 20
    /// The most bytes of a piece.
    ///
    /// Between two pieces a connection is idle for one round trip, at 20 MB/s every three seconds.
    static let longestPiece: Int64 = 64 << 20
    /// Bytes a second beyond which further streams gain nothing.
    ///
    /// That is what Gigabit Ethernet carries for all of them together.
    static let sufficientRate: Int64 = 100_000_000
    /// Pieces and halves begin at a multiple of this, so that streams share no page of the file.
    private static let alignment: Int64 = 64 << 10

    /// Length of the file in bytes.
    let total: Int64
    /// The most streams at once, 1 or more.
    private(set) var limit: Int
    /// What has arrived.
    private(set) var held: SegmentMap
    private var streams: [Int: Stream] = [:]
    private var nextStream = 0

    private struct Stream: Hashable {
        /// What is still to come and wanted.
        var rest: Range<Int64>
        /// Where the response ends, wanted or not.
        var reach: Int64
    }

    /// A plan for what is missing of a file.
    init(total: Int64, held: SegmentMap, limit: Int) {
        self.total = total
        self.held = held.clipped(to: total)
        self.limit = max(1, limit)
    }

    /// Whether every byte has arrived.
    var isComplete: Bool { held.prefix == total }

    /// Whether more streams than one may make a file come faster that has brought so many bytes
    /// in so many milliseconds.
    func isWorthSplitting(after bytes: Int64, in milliseconds: Int64) -> Bool {
        limit > 1 && total - held.count >= 2 * Self.minimumLength
            && bytes * 1000 < Self.sufficientRate * milliseconds
    }

    /// How many streams are at work.
    var streamCount: Int { streams.count }

    /// What a stream is still to bring; empty when it is through, or is none.
    func rest(of stream: Int) -> Range<Int64> { streams[stream]?.rest ?? 0..<0 }

    /// Whether a stream has all that is wanted of it, though its response goes on.
    func hasEnough(_ stream: Int) -> Bool {
        streams[stream].map { $0.rest.isEmpty && $0.reach > $0.rest.upperBound } ?? true
    }

    /// Takes in a stream whose response is on its way already, and ends before `reach`.
    ///
    /// Returns its number.
    mutating func join(at offset: Int64, reach: Int64) -> Int {
        let open = openRanges.first { $0.contains(offset) }
        let end = min(open?.upperBound ?? offset, reach)
        return add(Stream(rest: offset..<max(offset, end), reach: max(offset, reach)))
    }

    /// Finds work for one more stream; nil when there is none, or no room for it.
    mutating func next() -> Int? {
        guard streams.count < limit else { return nil }
        if let piece = openPiece { return add(Stream(rest: piece, reach: piece.upperBound)) }
        // Of equals the first: which one it is must not depend on a dictionary's order.
        let busiest = streams.max { ($0.value.rest.length, -$0.key) < ($1.value.rest.length, -$1.key) }
        guard let (victim, rest) = busiest.map({ ($0.key, $0.value.rest) }),
            rest.length >= 2 * Self.minimumLength
        else { return nil }
        // Halves, unless it is a whole hole that one stream has taken on: that one is cut into pieces.
        let kept = min(pieceLength(of: rest.length), rest.length / 2)
        let middle = Self.aligned(rest.lowerBound + kept)
        streams[victim]?.rest = rest.lowerBound..<middle
        let taken = piece(of: middle..<rest.upperBound)
        return add(Stream(rest: taken, reach: taken.upperBound))
    }

    /// A stream's response has begun, and ends before `reach`: what it won't bring is open again.
    mutating func answered(_ stream: Int, reach: Int64) {
        guard let rest = streams[stream]?.rest else { return }
        let end = max(rest.lowerBound, min(rest.upperBound, reach))
        streams[stream] = Stream(rest: rest.lowerBound..<end, reach: reach)
    }

    /// The next bytes of a stream have been written.
    mutating func received(_ stream: Int, _ count: Int64) {
        guard let rest = streams[stream]?.rest else { return }
        let end = min(rest.lowerBound + count, rest.upperBound)
        held.insert(rest.lowerBound..<end)
        streams[stream]?.rest = end..<rest.upperBound
    }

    /// A stream is over; what it didn't bring falls to its left neighbour or is open.
    mutating func end(_ stream: Int) {
        guard let ended = streams.removeValue(forKey: stream), !ended.rest.isEmpty else { return }
        // Not only where this one was: what an earlier one left may be within reach just now.
        for open in openRanges {
            let neighbour = streams.first {
                !$0.value.rest.isEmpty && $0.value.rest.upperBound == open.lowerBound
                    && $0.value.reach > open.lowerBound
            }
            guard let (id, left) = neighbour else { continue }
            streams[id]?.rest = left.rest.lowerBound..<min(left.reach, open.upperBound)
        }
    }

    /// The server didn't keep up one more stream: there are fewer from now on.
    mutating func reduce() { limit = max(1, limit - 1) }

    /// The server answers ranges strangely: no more than one stream is begun from now on.
    mutating func fallBack() { limit = 1 }

    private mutating func add(_ stream: Stream) -> Int {
        nextStream += 1
        streams[nextStream] = stream
        return nextStream
    }

    /// The next piece of what is open: it begins where the first open range does.
    private var openPiece: Range<Int64>? {
        let open = openRanges
        guard let first = open.first else { return nil }
        return piece(of: first, of: open.reduce(0) { $0 + $1.length })
    }

    /// The first piece of a range, where so many bytes are open in all; all of it for an only stream.
    private func piece(of range: Range<Int64>, of open: Int64? = nil) -> Range<Int64> {
        let length = pieceLength(of: open ?? range.length)
        // No remainder that isn't worth a request.
        guard limit > 1, range.length >= length + Self.minimumLength else { return range }
        return range.lowerBound..<Self.aligned(range.lowerBound + length)
    }

    /// How long a piece is where so many bytes are to be handed out: half of what each stream
    /// would get of them.
    private func pieceLength(of open: Int64) -> Int64 {
        min(max(open / Int64(2 * limit), Self.shortestPiece), Self.longestPiece)
    }

    private static func aligned(_ offset: Int64) -> Int64 {
        (offset + alignment - 1) / alignment * alignment
    }

    /// What is neither held nor any stream's.
    private var openRanges: [Range<Int64>] {
        var taken = held
        for stream in streams.values { taken.insert(stream.rest) }
        return taken.holes(to: total)
    }
}

extension Range<Int64> {
    fileprivate var length: Int64 { upperBound - lowerBound }
}
