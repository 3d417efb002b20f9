import Vocabulary

/// The parts of a file that its partial holds, for a partial with holes: sorted ranges that neither
/// touch nor overlap.
///
/// Such a partial is a sparse file, whose length says nothing about what it holds.
public struct SegmentMap: Hashable, Sendable {
    /// The ranges held, in ascending order.
    public private(set) var ranges: [Range<Int64>] = []

    public init() {}

    /// Creates a map of the first `length` bytes.
    public init(prefix length: Int64) {
        if length > 0 { ranges = [0..<length] }
    }

    /// The number of bytes held.
    public var count: Int64 { ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    /// The number of bytes held from the start of the file to the first gap.
    public var prefix: Int64 {
        guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// The offset after the last byte held; the partial is at least this long.
    public var end: Int64 { ranges.last?.upperBound ?? 0 }

    /// Adds a range, which may overlap what is already held.
    public mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        // Searched from the end, because new bytes mostly extend one of the last ranges.
        let after = ranges.lastIndex { $0.lowerBound <= range.upperBound }.map { $0 + 1 } ?? 0
        let first = ranges[..<after].lastIndex { $0.upperBound < range.lowerBound }.map { $0 + 1 } ?? 0
        guard first < after else {
            ranges.insert(range, at: first)
            return
        }
        let lower = min(ranges[first].lowerBound, range.lowerBound)
        let upper = max(ranges[after - 1].upperBound, range.upperBound)
        if after - first == 1 {
            ranges[first] = lower..<upper
        } else {
            ranges.replaceSubrange(first..<after, with: CollectionOfOne(lower..<upper))
        }
    }

    /// Returns the map without anything at or beyond an offset.
    public func clipped(to length: Int64) -> SegmentMap {
        var map = SegmentMap()
        map.ranges = ranges.filter { $0.lowerBound < length }
            .map { $0.lowerBound..<min($0.upperBound, length) }
        return map
    }

    /// Returns the ranges missing from a file of `total` bytes, in ascending order.
    public func holes(to total: Int64) -> [Range<Int64>] {
        var holes: [Range<Int64>] = []
        var end: Int64 = 0
        for range in ranges where end < total {
            if range.lowerBound > end { holes.append(end..<min(range.lowerBound, total)) }
            end = range.upperBound
        }
        if end < total { holes.append(end..<total) }
        return holes
    }
}

/// The stored form: `first-end` for each range, joined by commas, where `end` is the offset after the
/// last byte.
extension SegmentMap {
    /// The map as text; empty for an empty map.
    public var text: String {
        ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// Reads a ``text``; nil for anything that ``text`` can't have produced.
    public init?(text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) where !text.isEmpty {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let lower = Int64(digits: ends[0]), let upper = Int64(digits: ends[1]),
                lower < upper, ranges.isEmpty || end < lower
            else { return nil }
            ranges.append(lower..<upper)
        }
    }
}
