import JobModel

/// Decides which of several streams fetches which bytes of a file.
///
/// Every byte is either held, assigned to one stream, or open. A stream without work takes a piece of
/// the first open range, so the file arrives from its first byte to its last, out of order by about a
/// piece per stream, and can be hashed meanwhile. Pieces get smaller towards the end, by guided
/// self-scheduling (Polychronopoulos and Kuck, 1987). Once nothing is open, a stream takes half of what
/// the one that takes longest would have left. So all streams end at about the same time, whatever their speeds.
/// When a stream fails, its left neighbour takes over as far as its own response reaches: a server that
/// doesn't support ranges serves the file in one response, and nothing is lost.
struct SegmentPlan: Hashable, Sendable {
    /// The length in bytes up to which a file is fetched by one stream, unless that takes long.
    static let threshold: Int64 = 32 << 20
    /// The fewest bytes worth a separate request, as long as there is more to do.
    static let minimumLength: Int64 = 1 << 20
    /// The fewest bytes that a stream without work takes off one that has become slow.
    ///
    /// After losses a connection may bring so few that a file would wait long for its last megabyte.
    static let shortestHalf: Int64 = 128 << 10
    /// The shortest piece in bytes, as long as that many are left, from a server nearby.
    ///
    /// Bytes that are out of order when the last one arrives are hashed after it: with four streams at
    /// most 24 MiB, a tenth of a second's work.
    static let shortestPiece: Int64 = 8 << 20
    /// The bytes for each millisecond that an answer takes below which no piece is, unless a stream's share is less.
    ///
    /// Between two pieces a connection is idle until it has the next answer, and longer where it has to be made anew. So
    /// pieces are longer where answers take long, until what is out of order takes as long to be hashed: three such
    /// pieces take the time of four answers at 240 MB/s, as processors without instructions for SHA-256 do, and of one
    /// at 1 GB/s.
    static let bytesPerWait: Int64 = 320_000
    /// The longest piece in bytes.
    ///
    /// Between two pieces, a connection is idle for one round trip; at 20 MB/s, that is every three
    /// seconds.
    static let longestPiece: Int64 = 64 << 20
    /// The fewest bytes that an answer has to bring where more was asked for.
    static let leastAnswer: Int64 = 64 << 10
    /// The milliseconds that the rest of a stream takes at least for it to be slow.
    private static let longTime: Int64 = 200
    /// The milliseconds of an answer that are told from more; fewer make the longest piece.
    private static let longestWait: Int64 = 1000
    /// The speed in bytes per second beyond which more streams gain nothing.
    ///
    /// It is what Gigabit Ethernet carries for all of them together.
    static let sufficientRate: Int64 = 100_000_000
    /// The alignment of pieces and halves, so that streams share no page of the file.
    private static let alignment: Int64 = 64 << 10

    /// The length of the file in bytes.
    let total: Int64
    private var streamLimit: StreamLimit
    /// The parts that have arrived.
    private(set) var held: SegmentMap
    private var streams: [Int: Stream] = [:]
    private var nextStream = 0
    /// The shortest piece in bytes, as long as that many are left.
    private let shortest: Int64
    /// The bytes that the first stream keeps; 0 for a piece like any other.
    ///
    /// Its response goes on to the end of the file, so its connection is lost where it has enough. And it has begun before
    /// the others, which take over from it when they are through, over the connections that they have.
    private let first: Int64
    /// The milliseconds that the quickest answer has taken.
    private var timeToAnswer: Int64
    /// True if all is asked for as soon as possible, rather than piece after piece.
    private let isAskedForAtOnce: Bool

    private struct Stream: Hashable {
        /// The bytes still wanted from this stream.
        var rest: Range<Int64>
        /// The end of the response, wanted or not.
        var reach: Int64
    }

    /// Creates a plan for the missing parts of a file, from a server whose answers take so many milliseconds.
    ///
    /// - Parameter expires: True if nothing can be requested any more after some time.
    init(total: Int64, held: SegmentMap, limit: Int, timeToAnswer: Int64 = 0, expires: Bool = false) {
        self.total = total
        isAskedForAtOnce = expires || total <= Self.threshold
        self.held = held.clipped(to: total)
        streamLimit = StreamLimit(limit)
        let limit = streamLimit.count
        let missing = total - self.held.count
        let wait = min(max(0, timeToAnswer), Self.longestWait)
        let far = max(wait * Self.bytesPerWait, 1)
        self.timeToAnswer = wait
        // As many equal pieces as are about that long, so that none is left over.
        let (full, left) = missing.quotientAndRemainder(dividingBy: far)
        let count = left > far / 2 ? full + 1 : full
        if count > limit || limit == 1 {
            first = 0
            shortest = max(Self.shortestPiece, min(missing / max(count, 1), Self.longestPiece))
        } else {
            // One and a half shares, but half of all at most, and the same for each of the others.
            first = min(missing / Int64(2 * limit + 1) * 3, missing / 2, Self.longestPiece)
            let share = (missing - first) / Int64(limit - 1)
            shortest = max(Self.shortestPiece, min(share, Self.longestPiece))
        }
    }

    /// True if the file is fetched by one stream unless that takes long, and its order hardly matters to its hash.
    var isShort: Bool { total <= Self.threshold }

    /// True if every byte has arrived.
    var isComplete: Bool { held.prefix == total }

    /// True if what is left is enough for several streams, and there may be that many.
    var canBeSplit: Bool { limit > 1 && total - held.count >= 2 * Self.minimumLength }

    /// Returns whether several streams may speed up a file that has brought this many bytes in this many
    /// milliseconds.
    func isWorthSplitting(after bytes: Int64, in milliseconds: Int64) -> Bool {
        canBeSplit && bytes * 1000 < Self.sufficientRate * milliseconds
    }

    /// The most streams at once, at least 1.
    var limit: Int { streamLimit.count }

    /// The number of streams at work.
    var streamCount: Int { streams.count }

    /// Returns the bytes that a stream has still to bring; empty if it has finished or doesn't exist.
    func rest(of stream: Int) -> Range<Int64> { streams[stream]?.rest ?? 0..<0 }

    /// The offsets that the streams have come to.
    var offsets: [Int: Int64] { streams.mapValues(\.rest.lowerBound) }

    /// True if there could be another stream.
    var hasRoom: Bool { !streams.isEmpty && streams.count < limit }

    /// Returns whether a stream has brought everything wanted of it, although its response goes on.
    func hasEnough(_ stream: Int) -> Bool {
        streams[stream].map { $0.rest.isEmpty && $0.reach > $0.rest.upperBound } ?? true
    }

    /// Returns how many bytes another stream has still to bring before it could go on, in the same response, with what
    /// was assigned to this one; nil if there is no such stream.
    func distance(to stream: Int) -> Int64? {
        guard let wanted = streams[stream]?.rest, !wanted.isEmpty else { return nil }
        let before = streams.values.first {
            !$0.rest.isEmpty && $0.rest.upperBound == wanted.lowerBound && $0.reach > wanted.lowerBound
        }
        return before?.rest.length
    }

    /// Adds a stream whose response is already arriving and ends before `reach`.
    ///
    /// Returns the stream's number.
    mutating func join(at offset: Int64, reach: Int64) -> Int {
        let open = openRanges.first { $0.contains(offset) }
        let end = min(open?.upperBound ?? offset, reach)
        return add(Stream(rest: offset..<max(offset, end), reach: max(offset, reach)))
    }

    /// Assigns work to a new stream and returns its number; nil if there is no work or no room for it.
    ///
    /// It takes half of what would be left to the stream that takes longest, when the new one is as fast: of what
    /// `rate` says of a stream, in bytes a millisecond, if that is known. That is later where it has no connection yet.
    mutating func next(isConnected: Bool = false, rate: (Int) -> Double? = { _ in nil }) -> Int? {
        guard streams.count < limit else { return nil }
        if let piece = openPiece { return add(Stream(rest: piece, reach: piece.upperBound)) }
        let longest = longestRest(rate, isConnected ? .goingOn : .connecting)
        guard let (victim, taken) = longest, let rest = streams[victim]?.rest else { return nil }
        // The rest is halved, unless one stream has taken a whole hole of a long file, from which pieces are cut.
        let length = rest.length - taken
        let most = streams.count == 1 && first > 0 ? first : pieceLength(of: rest.length)
        let kept = isAskedForAtOnce ? length : min(most, length)
        let middle = Self.aligned(rest.lowerBound + kept)
        streams[victim]?.rest = rest.lowerBound..<middle
        let piece = piece(of: middle..<rest.upperBound)
        return add(Stream(rest: piece, reach: piece.upperBound))
    }

    /// Returns the stream that takes longest for its rest, and how many bytes of it are worth another request; nil for
    /// none.
    private func longestRest(_ rate: (Int) -> Double?, _ start: StreamStart) -> (stream: Int, taken: Int64)? {
        let rates = streams.keys.reduce(into: [:]) { $0[$1] = rate($1) }
        // One of which nothing is known yet may become as fast as the fastest.
        let usual = rates.values.max() ?? 0
        let candidates = streams.compactMap { number, stream in
            let (length, rate) = (Double(stream.rest.length), max(0, rates[number] ?? usual))
            let time = length / max(rate, 0.001)
            let rateOfAnswer = rate * Double(timeToAnswer)
            // What it brings itself until another one is as fast.
            let behind = start.behind(rateOfAnswer)
            let taken = Int64(max(0, length - behind) / 2)
            let isSlow = rates[number] != nil && length > behind && time > Double(Self.longTime)
            // The connection of the one that it is taken from is lost, with what is on its way.
            let isWorthIt =
                Double(taken) >= rateOfAnswer * start.saved
                && (taken >= Self.minimumLength || isSlow && taken >= Self.shortestHalf)
            return isWorthIt ? (number: number, taken: taken, time: time) : nil
        }
        // The first of equals, so that the choice doesn't depend on a dictionary's order.
        return candidates.max { ($0.time, -$0.number) < ($1.time, -$1.number) }.map { ($0.number, $0.taken) }
    }

    /// Notes that a stream's response has begun after so many milliseconds, 0 if that isn't known, and ends before
    /// `reach`; what it won't bring becomes open again.
    mutating func answered(_ stream: Int, reach: Int64, after milliseconds: Int64 = 0) {
        // The first answer may have taken long, as where the server has to make the file first.
        if milliseconds > 0 { timeToAnswer = min(timeToAnswer, milliseconds) }
        guard let rest = streams[stream]?.rest else { return }
        let end = max(rest.lowerBound, min(rest.upperBound, reach))
        streams[stream] = Stream(rest: rest.lowerBound..<end, reach: reach)
    }

    /// Notes that a stream's next bytes have been written.
    mutating func received(_ stream: Int, _ count: Int64) {
        guard let rest = streams[stream]?.rest else { return }
        let end = min(rest.lowerBound + count, rest.upperBound)
        held.insert(rest.lowerBound..<end)
        streams[stream]?.rest = end..<rest.upperBound
        streamLimit.received(end - rest.lowerBound)
    }

    /// Removes a stream; what it didn't bring goes to its left neighbour or becomes open.
    mutating func end(_ stream: Int) {
        guard let ended = streams.removeValue(forKey: stream), !ended.rest.isEmpty else { return }
        // All open ranges, since one left by an earlier stream may only now be within reach.
        for open in openRanges {
            let neighbour = streams.first {
                !$0.value.rest.isEmpty && $0.value.rest.upperBound == open.lowerBound
                    && $0.value.reach > open.lowerBound
            }
            guard let (id, left) = neighbour else { continue }
            streams[id]?.rest = left.rest.lowerBound..<min(left.reach, open.upperBound)
        }
    }

    /// Reduces the number of streams by one for some time, because the server didn't sustain them all.
    mutating func reduce() { streamLimit.reduce() }

    /// Takes one stream off for so many seconds, or for longer each time, because the server failed with it.
    mutating func rest(for seconds: Double?, now: Int64) { streamLimit.rest(for: seconds, now: now) }

    /// Allows the streams again whose time has come; returns whether there are any.
    mutating func endRests(now: Int64) -> Bool { streamLimit.endRests(now: now) }

    /// Allows no more than one new stream, because the server answers ranges strangely.
    mutating func fallBack() { streamLimit.fallBack() }

    private mutating func add(_ stream: Stream) -> Int {
        nextStream += 1
        streams[nextStream] = stream
        return nextStream
    }

    /// The next piece to assign, at the beginning of the first open range.
    private var openPiece: Range<Int64>? {
        let open = openRanges
        guard let first = open.first else { return nil }
        return piece(of: first, of: open.reduce(0) { $0 + $1.length })
    }

    /// Returns the first piece of a range, given how many bytes are open in all; all of it for an only
    /// stream.
    private func piece(of range: Range<Int64>, of open: Int64? = nil) -> Range<Int64> {
        let length = pieceLength(of: open ?? range.length)
        // Leaves no remainder that isn't worth a request.
        guard limit > 1, !isAskedForAtOnce, range.length >= length + Self.minimumLength else { return range }
        return range.lowerBound..<Self.aligned(range.lowerBound + length)
    }

    /// Returns the length of a piece, given the bytes to be assigned: half of each stream's share.
    private func pieceLength(of open: Int64) -> Int64 {
        min(max(open / Int64(2 * limit), shortest), Self.longestPiece)
    }

    private static func aligned(_ offset: Int64) -> Int64 {
        (offset + alignment - 1) / alignment * alignment
    }

    /// The ranges neither held nor assigned to a stream.
    private var openRanges: [Range<Int64>] {
        var taken = held
        for stream in streams.values { taken.insert(stream.rest) }
        return taken.holes(to: total)
    }
}

extension Range<Int64> {
    fileprivate var length: Int64 { upperBound - lowerBound }
}
