/// The times that follow from the length of a node's lease.
public struct FleetTiming: Hashable, Sendable {
    /// The time for which a node owns its buckets from when the database has heard of it.
    public let lease: Duration

    /// Times for a lease of so many seconds.
    public init(leaseSeconds: Int) { lease = .seconds(leaseSeconds) }

    /// The range of leases, in seconds.
    public static let leases = 6...3600

    /// The time beyond the lease for which others leave a node's buckets alone.
    public var grace: Duration { lease / 6 }
    /// The interval at which a node renews its lease.
    public var heartbeat: Duration { lease / 6 }
    /// The age of the lease from which a node lets its jobs pause.
    public var pauseAfter: Duration { lease * 2 / 3 }
    /// The age of the lease by which its daemon has stopped by itself, whatever became of the node.
    public var stopAfter: Duration { lease * 5 / 6 }
    /// The time for which a node must have heard of the database again before it declares others dead.
    ///
    /// When the database was away, all leases may be over: the first to be back gives the others time.
    public var settling: Duration { lease / 3 }
    /// The time without an answer after which a node has to settle again.
    public var silence: Duration { lease / 2 }
    /// The time that the database may take to answer.
    public var patience: Duration { lease / 6 }
}
