/// Decides which bytes of one file are fetched by which of several streams.
///
/// Every byte is in one place at a time: held, the business of one stream, or
/// open. A stream that has nothing left takes the largest open range, or else
/// half of what the busiest other stream still has to do; so all of them end
/// at about the same time, whatever their speeds. When a stream fails, its
/// left neighbour takes over, as far as its own response reaches: a server
/// that knows no ranges serves the file in one piece, and nothing is lost.
public struct SegmentPlan: Hashable, Sendable {
    /// Files up to this many bytes are fetched by one stream.
    public static let threshold: Int64 = 32 << 20
    /// The fewest bytes worth a request of their own.
    public static let minimumLength: Int64 = 1 << 20
    /// Bytes a second beyond which further streams gain nothing.
    ///
    /// That is what Gigabit Ethernet carries for all of them together. One stream also
    /// brings the file from its first byte to its last, so that it can be hashed meanwhile.
    public static let sufficientRate: Int64 = 100_000_000
    /// Halves begin at a multiple of this, so that streams share no page of the file.
    private static let alignment: Int64 = 64 << 10

    /// Length of the file in bytes.
    public let total: Int64
    /// The most streams at once, 1 or more.
    public private(set) var limit: Int
    /// What has arrived.
    public private(set) var held: SegmentMap
    private var streams: [Int: Stream] = [:]
    private var nextStream = 0

    private struct Stream: Hashable {
        /// What is still to come and wanted.
        var rest: Range<Int64>
        /// Where the response ends, wanted or not.
        var reach: Int64
    }

    /// A plan for what is missing of a file.
    public init(total: Int64, held: SegmentMap, limit: Int) {
        self.total = total
        self.held = held.clipped(to: total)
        self.limit = max(1, limit)
    }

    /// Whether every byte has arrived.
    public var isComplete: Bool { held.prefix == total }

    /// Whether more streams than one may make a file come faster that has brought so many bytes
    /// in so many milliseconds.
    public func isWorthSplitting(after bytes: Int64, in milliseconds: Int64) -> Bool {
        limit > 1 && total - held.count >= 2 * Self.minimumLength
            && bytes * 1000 < Self.sufficientRate * milliseconds
    }

    /// How many streams are at work.
    public var streamCount: Int { streams.count }

    /// What a stream is still to bring; empty when it is through, or is none.
    public func rest(of stream: Int) -> Range<Int64> { streams[stream]?.rest ?? 0..<0 }

    /// Whether a stream has all that is wanted of it, though its response goes on.
    public func hasEnough(_ stream: Int) -> Bool {
        streams[stream].map { $0.rest.isEmpty && $0.reach > $0.rest.upperBound } ?? true
    }

    /// Takes in a stream whose response is on its way already, and ends before `reach`.
    ///
    /// Returns its number.
    public mutating func join(at offset: Int64, reach: Int64) -> Int {
        let open = openRanges.first { $0.contains(offset) }
        let end = min(open?.upperBound ?? offset, reach)
        return add(Stream(rest: offset..<max(offset, end), reach: max(offset, reach)))
    }

    /// Finds work for one more stream; nil when there is none, or no room for it.
    public mutating func next() -> Int? {
        guard streams.count < limit else { return nil }
        if let open = openRanges.max(by: { $0.length < $1.length }) {
            return add(Stream(rest: open, reach: open.upperBound))
        }
        // Of equals the first: which one it is must not depend on a dictionary's order.
        let busiest = streams.max { ($0.value.rest.length, -$0.key) < ($1.value.rest.length, -$1.key) }
        guard let (victim, rest) = busiest.map({ ($0.key, $0.value.rest) }),
            rest.length >= 2 * Self.minimumLength
        else { return nil }
        let half = rest.lowerBound + rest.length / 2
        let middle = (half + Self.alignment - 1) / Self.alignment * Self.alignment
        streams[victim]?.rest = rest.lowerBound..<middle
        return add(Stream(rest: middle..<rest.upperBound, reach: rest.upperBound))
    }

    /// A stream's response has begun, and ends before `reach`: what it won't bring is open again.
    public mutating func answered(_ stream: Int, reach: Int64) {
        guard let rest = streams[stream]?.rest else { return }
        let end = max(rest.lowerBound, min(rest.upperBound, reach))
        streams[stream] = Stream(rest: rest.lowerBound..<end, reach: reach)
    }

    /// The next bytes of a stream have been written.
    public mutating func received(_ stream: Int, _ count: Int64) {
        guard let rest = streams[stream]?.rest else { return }
        let end = min(rest.lowerBound + count, rest.upperBound)
        held.insert(rest.lowerBound..<end)
        streams[stream]?.rest = end..<rest.upperBound
    }

    /// A stream is over; what it didn't bring falls to its left neighbour or is open.
    public mutating func end(_ stream: Int) {
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
    public mutating func reduce() { limit = max(1, limit - 1) }

    /// The server answers ranges strangely: no more than one stream is begun from now on.
    public mutating func fallBack() { limit = 1 }

    private mutating func add(_ stream: Stream) -> Int {
        nextStream += 1
        streams[nextStream] = stream
        return nextStream
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
