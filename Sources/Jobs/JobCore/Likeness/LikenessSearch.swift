/// Finds all fingerprints that differ in few bits, of very many.
///
/// Of two that differ in at most d bits, cut into d + 1 parts, at least one part is the same: so only those are
/// compared that share one. Where very many do, they are cut again, and what they all have in common is left out.
/// That takes no more time where they crowd, or where somebody has chosen them so that they do; and those that are
/// known to be of one group aren't compared with each other. Where so few bits are left that all would be compared
/// several times, each is compared once with those that aren't known to be of its group yet.
public struct LikenessSearch {
    /// The most comparisons that are made where nobody says: about a quarter of a minute's.
    public static let usualMost = 6_000_000_000

    /// The groups, as far as they are known.
    private(set) var sets: DisjointSets
    private let distance: Int
    /// The comparisons that may still be made.
    private var left: Int
    /// The comparisons that were made since it was last asked whether to go on.
    private var unasked = 0

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
        if range.count > Self.few { try compareNeighbours(items, in: range, mayGoOn) }
        // Those that aren't of the largest group come first.
        let split = partition(&items, in: range)
        guard split > range.lowerBound else { return }
        let others = range.lowerBound..<split
        if others.count <= Self.few { return try compareAll(&items, others: others, in: range, mayGoOn) }
        let first = items.values[range.lowerBound]
        let varying = items.values[range].reduce(0) { $0 | ($1 ^ first) }
        guard varying.nonzeroBitCount > distance else {
            for place in range { sets.unite(items.numbers[range.lowerBound], items.numbers[place]) }
            return
        }
        let parts = BitPart.parts(of: varying, count: distance + 1, atMost: Self.bits(of: range.count))
        // Cut so finely, they would all be compared several times.
        if parts.contains(where: { 1 << $0.width <= parts.count }) {
            return try compareAll(&items, others: others, in: range, mayGoOn)
        }
        for part in parts {
            try spend(range.count, mayGoOn)
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
    /// The comparisons after which it is asked whether to go on: about a thousandth of a second's.
    private static let unaskedMost = 1 << 20
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

    /// Compares some items, which come first, with each other and with the rest, which is of one group.
    ///
    /// Each is compared only with those that haven't been found to be like one before it, so where all are alike,
    /// there soon are none.
    private mutating func compareAll(
        _ items: inout Items,
        others: Range<Int>,
        in range: Range<Int>,
        _ mayGoOn: () -> Bool
    ) throws(LikenessFailure) {
        let distance = distance
        // Before `place` are those that have been compared with all, and before `end` those that have been found.
        var (place, end) = (others.lowerBound, others.lowerBound)
        while place < others.upperBound {
            // The one found last is the farthest from those before it, so most of what is like it is new.
            if place < end { items.swapAt(place, end - 1) } else { end += 1 }
            let (value, number) = (items.values[place], items.numbers[place])
            place += 1
            try spend(others.upperBound - end, mayGoOn)
            var other = end
            while other < others.upperBound {
                if (value ^ items.values[other]).nonzeroBitCount <= distance {
                    sets.unite(number, items.numbers[other])
                    items.swapAt(end, other)
                    end += 1
                }
                other += 1
            }
            try compareWithRest(items, value, number, rest: others.upperBound..<range.upperBound, mayGoOn)
        }
    }

    /// Compares an item with those of one group until it is found to be like one of them.
    private mutating func compareWithRest(
        _ items: Items,
        _ value: UInt64,
        _ number: UInt32,
        rest: Range<Int>,
        _ mayGoOn: () -> Bool
    ) throws(LikenessFailure) {
        guard !rest.isEmpty else { return }
        let first = items.numbers[rest.lowerBound]
        guard sets.root(of: first) != sets.root(of: number) else { return }
        try spend(rest.count, mayGoOn)
        let distance = distance
        var other = rest.lowerBound
        while other < rest.upperBound {
            if (value ^ items.values[other]).nonzeroBitCount <= distance { return sets.unite(first, number) }
            other += 1
        }
    }

    /// Compares each item with the next few.
    ///
    /// They are about in order, so where very many are alike, that finds most groups.
    private mutating func compareNeighbours(
        _ items: Items,
        in range: Range<Int>,
        _ mayGoOn: () -> Bool
    ) throws(LikenessFailure) {
        try spend(range.count * Self.neighbours, mayGoOn)
        for one in range {
            for other in one + 1..<max(one + 1, min(one + 1 + Self.neighbours, range.upperBound))
            where (items.values[one] ^ items.values[other]).nonzeroBitCount <= distance {
                sets.unite(items.numbers[one], items.numbers[other])
            }
        }
    }

    /// Notes comparisons that are about to be made.
    ///
    /// Everything else takes time in proportion to them, so by them it is asked whether to go on.
    private mutating func spend(_ comparisons: Int, _ mayGoOn: () -> Bool) throws(LikenessFailure) {
        unasked += comparisons
        if unasked >= Self.unaskedMost {
            unasked = 0
            guard mayGoOn() else { throw .cancelled }
        }
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
