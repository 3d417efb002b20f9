/// Finds all fingerprints that differ in few bits, of very many.
///
/// Of two that differ in at most d bits, cut into d + 1 parts, at least one part is the same: so only those are
/// compared that share one. Where very many do, they are cut again, and what they all have in common is left out.
/// That takes no more time where they crowd, or where somebody has chosen them so that they do; and those that are
/// known to be of one group aren't compared with each other.
public struct LikenessSearch {
    /// The most comparisons that are made where nobody says: about half a minute's.
    public static let usualMost = 10_000_000_000

    /// The groups, as far as they are known.
    private(set) var sets: DisjointSets
    private let distance: Int
    /// The comparisons that may still be made.
    private var left: Int

    init(sets: consuming DisjointSets, distance: Int, most: Int) {
        self.sets = sets
        self.distance = distance
        left = most
    }

    /// Fingerprints with their numbers.
    private struct Items {
        var values: [UInt64]
        var numbers: [UInt32]

        mutating func swapAt(_ one: Int, _ other: Int) {
            values.swapAt(one, other)
            numbers.swapAt(one, other)
        }
    }

    /// Makes one set of those whose fingerprints are alike; 0 is none, and like nothing.
    mutating func compare(
        _ fingerprints: consuming [UInt64],
        mayGoOn: () -> Bool
    ) throws(LikenessFailure) {
        let all = fingerprints
        var order = (0..<UInt32(all.count)).filter { all[Int($0)] != 0 }
        order.sort { all[Int($0)] < all[Int($1)] }
        // Of those that are equal one is enough.
        var items = Items(values: [], numbers: [])
        for number in order {
            let value = all[Int(number)]
            if let last = items.values.last, last == value {
                sets.unite(items.numbers[items.numbers.count - 1], number)
            } else {
                items.values.append(value)
                items.numbers.append(number)
            }
        }
        order = []
        guard distance > 0 else { return }
        try compare(&items, in: 0..<items.values.count, mayGoOn)
    }

    /// Compares some of the items with each other, which changes their order.
    private mutating func compare(
        _ items: inout Items,
        in range: Range<Int>,
        _ mayGoOn: () -> Bool
    ) throws(LikenessFailure) {
        guard range.count > 1 else { return }
        if range.count > Self.few { try compareNeighbours(items, in: range) }
        // Those that aren't of the largest group come first.
        let split = partition(&items, in: range)
        guard split > range.lowerBound else { return }
        let others = split - range.lowerBound
        if others <= Self.few { return try compareAll(&items, others: range.lowerBound..<split, in: range) }
        guard mayGoOn() else { throw .cancelled }
        let first = items.values[range.lowerBound]
        let varying = items.values[range].reduce(0) { $0 | ($1 ^ first) }
        guard varying.nonzeroBitCount > distance else {
            for place in range { sets.unite(items.numbers[range.lowerBound], items.numbers[place]) }
            return
        }
        let parts = BitPart.parts(of: varying, count: distance + 1, atMost: Self.bits(of: range.count))
        // Cut so finely, they would all be compared several times.
        let isCrowded = parts.contains { 1 << $0.width <= parts.count }
        if isCrowded && others * range.count <= left {
            return try compareAll(&items, others: range.lowerBound..<split, in: range)
        }
        for part in parts {
            try spend(range.count)
            var ends: [Int] = []
            var sorted = Self.sorted(items, in: range, by: part, &ends)
            var start = 0
            for end in ends {
                try compare(&sorted, in: start..<end, mayGoOn)
                start = end
            }
        }
    }

    /// The number of items that aren't of the largest group up to which all are compared.
    private static let few = 64
    /// The number of neighbours that each item is compared with.
    private static let neighbours = 4

    /// Returns the number of bits by which so many items are sorted, so that there aren't many more places than
    /// items.
    private static func bits(of count: Int) -> Int { min(16, Int.bitWidth - count.leadingZeroBitCount) }

    /// Moves the items that aren't of what is perhaps the largest group to the front, and returns the place behind
    /// them.
    private mutating func partition(_ items: inout Items, in range: Range<Int>) -> Int {
        // The group of more than half of them, if there is one (Boyer and Moore's vote).
        var (candidate, votes) = (UInt32.max, 0)
        for place in range {
            let root = sets.root(of: items.numbers[place])
            if votes == 0 { (candidate, votes) = (root, 1) } else { votes += root == candidate ? 1 : -1 }
        }
        var split = range.lowerBound
        for place in range where sets.root(of: items.numbers[place]) != candidate {
            items.swapAt(split, place)
            split += 1
        }
        return split
    }

    /// Compares some items, which come first, with all.
    private mutating func compareAll(
        _ items: inout Items,
        others: Range<Int>,
        in range: Range<Int>
    ) throws(LikenessFailure) {
        try spend(others.count * range.count)
        let distance = distance
        for one in others {
            let value = items.values[one]
            var other = one + 1
            while other < range.upperBound {
                if (value ^ items.values[other]).nonzeroBitCount <= distance {
                    sets.unite(items.numbers[one], items.numbers[other])
                }
                other += 1
            }
        }
    }

    /// Compares each item with the next few.
    ///
    /// They are about in order, so where very many are alike, that finds most groups.
    private mutating func compareNeighbours(
        _ items: Items,
        in range: Range<Int>
    ) throws(LikenessFailure) {
        try spend(range.count * Self.neighbours)
        for one in range {
            for other in one + 1..<max(one + 1, min(one + 1 + Self.neighbours, range.upperBound))
            where (items.values[one] ^ items.values[other]).nonzeroBitCount <= distance {
                sets.unite(items.numbers[one], items.numbers[other])
            }
        }
    }

    private mutating func spend(_ comparisons: Int) throws(LikenessFailure) {
        left -= comparisons
        guard left >= 0 else { throw .tooMany }
    }

    /// Returns a copy of items sorted by a part of their bits; `ends` says where those end that have the same there.
    private static func sorted(
        _ items: Items,
        in range: Range<Int>,
        by part: BitPart,
        _ ends: inout [Int]
    ) -> Items {
        var places = [Int](repeating: 0, count: 1 << part.width)
        for place in range { places[part.key(of: items.values[place])] += 1 }
        var sum = 0
        for key in places.indices {
            let count = places[key]
            places[key] = sum
            sum += count
        }
        var sorted = Items(
            values: Array(repeating: 0, count: range.count),
            numbers: Array(repeating: 0, count: range.count)
        )
        for place in range {
            let value = items.values[place]
            let key = part.key(of: value)
            sorted.values[places[key]] = value
            sorted.numbers[places[key]] = items.numbers[place]
            places[key] += 1
        }
        ends = places
        return sorted
    }
}

/// Some of the bits of a fingerprint.
struct BitPart {
    /// A run of bits that lie side by side.
    private struct Run {
        var shift: UInt64
        var mask: UInt64
        var target: UInt64
    }

    private var runs: [Run] = []
    /// The number of bits.
    private(set) var width = 0

    /// Cuts the bits that are set in `bits` into parts of about the same size, of each of which at most so many bits
    /// are taken.
    static func parts(of bits: UInt64, count: Int, atMost most: Int) -> [BitPart] {
        let places = (0..<64).filter { bits >> UInt64($0) & 1 == 1 }
        return (0..<count).map { index in
            let first = index * places.count / count
            let last = (index + 1) * places.count / count
            return BitPart(places[first..<last].prefix(most))
        }
    }

    private init(_ places: ArraySlice<Int>) {
        for place in places {
            if let run = runs.last, run.shift + UInt64(run.mask.nonzeroBitCount) == UInt64(place) {
                runs[runs.count - 1].mask = run.mask << 1 | 1
            } else {
                runs.append(Run(shift: UInt64(place), mask: 1, target: UInt64(width)))
            }
            width += 1
        }
    }

    /// Returns the bits of a value side by side.
    func key(of value: UInt64) -> Int {
        var key: UInt64 = 0
        for run in runs { key |= (value >> run.shift & run.mask) << run.target }
        return Int(key)
    }
}
