/// The bytes of a file that its partial holds, where they are not simply the first so many: sorted ranges
/// that neither touch nor overlap.
///
/// The partial is a sparse file then, and its length says nothing.
public struct SegmentMap: Hashable, Sendable {
    /// What is held, in order.
    public private(set) var ranges: [Range<Int64>] = []

    /// A map of nothing.
    public init() {}

    /// A map of the first bytes of a file.
    public init(prefix length: Int64) {
        if length > 0 { ranges = [0..<length] }
    }

    /// How many bytes are held in all.
    public var count: Int64 { ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    /// How many bytes are held from the file's first on, without a gap.
    public var prefix: Int64 {
        guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// The byte after the last that is held: the partial is at least as long.
    public var end: Int64 { ranges.last?.upperBound ?? 0 }

    /// Adds bytes; those that are held already stay so.
    public mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        // From behind: what arrives most often extends a range.
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

    /// The same without what lies at or behind an offset.
    public func clipped(to length: Int64) -> SegmentMap {
        var map = SegmentMap()
        map.ranges = ranges.filter { $0.lowerBound < length }
            .map { $0.lowerBound..<min($0.upperBound, length) }
        return map
    }

    /// What is missing of a file of so many bytes, in order.
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

/// As the store has it: `first-end` of each range, `end` being the byte after it, joined by commas.
extension SegmentMap {
    /// The map in one line of text; empty for a map of nothing.
    public var text: String {
        ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// Reads ``text``; nil for anything that it can't have written.
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
