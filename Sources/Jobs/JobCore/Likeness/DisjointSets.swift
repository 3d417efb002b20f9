/// Numbers from 0 in sets of which any two can be made one.
struct DisjointSets {
    /// Of each number, another one of its set that is smaller; of the smallest, itself.
    private var parents: [UInt32]

    /// Creates a set of its own for each number.
    init(count: Int) { parents = Array(0..<UInt32(count)) }

    /// Returns the smallest number of a number's set.
    mutating func root(of number: UInt32) -> UInt32 {
        var number = number
        while true {
            let parent = parents[Int(number)]
            if parent == number { return number }
            let next = parents[Int(parent)]
            // Halves the way for those who come next.
            parents[Int(number)] = next
            number = next
        }
    }

    /// Makes the sets of two numbers one.
    mutating func unite(_ one: UInt32, _ other: UInt32) {
        let (first, second) = (root(of: one), root(of: other))
        guard first != second else { return }
        parents[Int(max(first, second))] = min(first, second)
    }

    /// Returns the sets of two numbers and more, the largest first and then that with the smallest number; and each
    /// with its numbers in ascending order.
    consuming func groups() -> LikenessGroups {
        var sizes = [UInt32](repeating: 0, count: parents.count)
        for number in 0..<UInt32(parents.count) { sizes[Int(root(of: number))] += 1 }
        var roots = (0..<UInt32(parents.count)).filter { sizes[Int($0)] > 1 }
        roots.sort { sizes[Int($0)] == sizes[Int($1)] ? $0 < $1 : sizes[Int($0)] > sizes[Int($1)] }
        var starts: [Int] = [0]
        starts.reserveCapacity(roots.count + 1)
        for root in roots { starts.append(starts[starts.count - 1] + Int(sizes[Int(root)])) }
        // From here on they are the places where the next number of each set goes.
        for number in sizes.indices { sizes[number] = .max }
        for (index, root) in roots.enumerated() { sizes[Int(root)] = UInt32(starts[index]) }
        var members = [UInt32](repeating: 0, count: starts[roots.count])
        for number in 0..<UInt32(parents.count) {
            let root = Int(root(of: number))
            guard sizes[root] != .max else { continue }
            members[Int(sizes[root])] = number
            sizes[root] += 1
        }
        return LikenessGroups(members: members, starts: starts)
    }
}
