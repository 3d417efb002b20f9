/// When a node claims jobs, and how many.
public struct ClaimPlan: Hashable, Sendable {
    /// What a node knows before it claims.
    public struct Situation: Hashable, Sendable {
        /// What its lease lets it do.
        public var standing: NodeLease.Standing
        /// The jobs that it holds and hasn't reported yet.
        public var held: Int
        /// Whether one of them goes alone.
        public var holdsSuspect: Bool
        /// Whether jobs that go alone wait in its buckets.
        public var suspectsWait: Bool
        /// Its buckets, without those that it is about to give away.
        public var buckets: Int
        /// Whether it stops, or its daemon takes nothing.
        public var isClosed: Bool
        /// When a claim last came back with less than was asked for; nil if there may be more.
        public var emptyAt: Duration?

        /// Creates a situation, by default of a node that holds nothing.
        public init(
            standing: NodeLease.Standing = .works,
            held: Int = 0,
            holdsSuspect: Bool = false,
            suspectsWait: Bool = false,
            buckets: Int = 1,
            isClosed: Bool = false,
            emptyAt: Duration? = nil
        ) {
            self.standing = standing
            self.held = held
            self.holdsSuspect = holdsSuspect
            self.suspectsWait = suspectsWait
            self.buckets = buckets
            self.isClosed = isClosed
            self.emptyAt = emptyAt
        }
    }

    /// A claim.
    public enum Claim: Hashable, Sendable {
        /// So many jobs, and at most so many from one bucket, lest one starve the others.
        case slice(jobs: Int, perBucket: Int)
        /// One job that goes alone.
        case suspect
    }

    /// How often a node looks into an empty queue by itself, if nobody tells it of new jobs.
    public static let emptyInterval = Duration.seconds(1)

    /// The most jobs that are claimed at once.
    public let slice: Int

    /// A plan for slices of so many jobs.
    public init(slice: Int) { self.slice = max(1, slice) }

    /// Returns what to claim now; nil for nothing.
    ///
    /// The next slice is claimed when the last is half empty: so a daemon has work while the database is
    /// asked. Before a job that goes alone, a node finishes what it holds.
    public func claim(_ situation: Situation, at now: Duration) -> Claim? {
        guard situation.standing == .works, !situation.isClosed, situation.buckets > 0,
            !situation.holdsSuspect
        else { return nil }
        if situation.suspectsWait { return situation.held == 0 ? .suspect : nil }
        if let emptyAt = situation.emptyAt, now - emptyAt < Self.emptyInterval { return nil }
        guard situation.held <= slice / 2 else { return nil }
        return .slice(jobs: slice, perBucket: slice / situation.buckets + 1)
    }
}
