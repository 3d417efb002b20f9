/// The number of the fleet's buckets that a node takes or gives, so that all have about as many.
public struct BucketShare: Hashable, Sendable {
    /// The number of buckets that hosts are spread over.
    public static let buckets = 1024
    /// The number of buckets beyond its share that a node keeps, so that buckets don't go back and forth.
    public static let slack = 8

    /// A change to a node's buckets.
    public enum Change: Hashable, Sendable {
        /// Nothing.
        case none
        /// Take so many of those that nobody owns.
        case take(Int)
        /// Claim nothing more from so many, and give each away once it is empty.
        case drain(Int)
    }

    /// Returns what a node does.
    ///
    /// Shares are rounded up, so all buckets may be gone before the last node comes: where one has far too few,
    /// those give that have more than their share rounded down, and take nothing.
    ///
    /// - Parameters:
    ///   - nodes: The nodes that live, this one included.
    ///   - mine: Its buckets, without those that it is about to give away.
    ///   - free: The buckets that nobody owns, or whose owner is dead.
    ///   - least: The fewest buckets that one of those nodes has.
    public static func change(nodes: Int, mine: Int, free: Int, least: Int = .max) -> Change {
        let nodes = max(1, nodes)
        let (whole, share) = (buckets / nodes, (buckets + nodes - 1) / nodes)
        if mine > share + slack { return .drain(mine - share) }
        let few = whole - min(slack, whole / 2)
        if least < few, mine >= whole {
            // What is free is for whoever has too few, and what is given is free only once it is empty.
            return mine > whole && free < few - least ? .drain(mine - whole) : .none
        }
        let wanted = min(share - mine, free)
        return wanted > 0 ? .take(wanted) : .none
    }
}
