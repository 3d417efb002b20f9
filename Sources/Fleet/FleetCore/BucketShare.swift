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

    /// A node's work beside that of the others.
    public struct Work: Hashable, Sendable {
        /// True if it finds nothing more in its buckets.
        public var isIdle: Bool
        /// The number of others that find nothing more in theirs.
        public var idle: Int
        /// The number of its buckets in which something waits beside what it holds.
        public var waiting: Int
        /// The number of its buckets that it is about to give away.
        public var draining: Int

        /// Creates the work of a node, by default one of nodes that all idle.
        public init(isIdle: Bool = true, idle: Int = 0, waiting: Int = 0, draining: Int = 0) {
            (self.isIdle, self.idle, self.waiting, self.draining) = (isIdle, idle, waiting, draining)
        }
    }

    /// A change for the sake of nodes that have come to an end of their work before others.
    public enum Help: Hashable, Sendable {
        /// None: shares are even.
        case even
        /// Take so many of those that nobody owns, whatever the share.
        case take(Int)
        /// Drain so many of those in which something waits.
        case drain(Int)
        /// Nothing: what others own beyond their share, they were given because they are fast.
        case none
    }

    /// Returns what a node does for nodes that idle, or as one of them, before it looks at its share.
    ///
    /// A machine that is ten times as fast comes to the end of its share in a tenth of the time. So who has work gives of
    /// its buckets, half where there are two nodes, once the last ones are gone; and who idles takes them. While all have
    /// work, nobody gives any for the sake of even shares, and while nobody has, everybody does.
    public static func help(nodes: Int, mine: Int, free: Int, least: Int = .max, _ work: Work) -> Help {
        let busy = nodes - work.idle - (work.isIdle ? 1 : 0)
        if busy == 0 { return .even }
        if work.isIdle { return free > 0 ? .take((free + work.idle) / (work.idle + 1)) : .none }
        guard work.idle > 0 else { return mine * nodes > buckets ? .none : .even }
        // Who has just come gets its share first.
        if case .drain = change(nodes: nodes, mine: mine, free: free, least: least) { return .even }
        guard work.waiting > 1 else { return .even }
        return work.draining == 0 ? .drain(max(1, work.waiting * work.idle / nodes)) : .none
    }
}
