/// A plan of when a node claims jobs, and how many.
public struct ClaimPlan: Hashable, Sendable {
    /// The facts that a node knows before it claims.
    public struct Situation: Hashable, Sendable {
        /// The standing that its lease gives it.
        public var standing: NodeLease.Standing
        /// The jobs that it holds and hasn't reported yet, without those that wait for a moment.
        public var held: Int
        /// The jobs that it holds and that wait for a moment, such as the next try.
        public var waiting: Int
        /// True if one of `held` goes alone.
        public var holdsAlone: Bool
        /// True if some of `held` are a group of suspects.
        public var holdsGroup: Bool
        /// The least blame of suspects that wait in its buckets, by what is done with them.
        public var suspects: Set<Int>
        /// Its buckets, without those that it is about to give away.
        public var buckets: Int
        /// True if it stops, or its daemon accepts nothing.
        public var isClosed: Bool

        public init(
            standing: NodeLease.Standing = .works,
            held: Int = 0,
            waiting: Int = 0,
            holdsAlone: Bool = false,
            holdsGroup: Bool = false,
            suspects: Set<Int> = [],
            buckets: Int = 1,
            isClosed: Bool = false
        ) {
            self.standing = standing
            self.held = held
            self.waiting = waiting
            self.holdsAlone = holdsAlone
            self.holdsGroup = holdsGroup
            self.suspects = suspects
            self.buckets = buckets
            self.isClosed = isClosed
        }
    }

    /// A claim.
    public enum Claim: Hashable, Sendable {
        /// Claim this many jobs, and at most so many from one bucket, lest one starve the others.
        case slice(jobs: Int, perBucket: Int)
        /// Claim this many jobs, and no more from a bucket than bring what is held of it to so many.
        case topUp(jobs: Int, perBucket: Int)
        /// Claim this many jobs of this blame, which may have ended nodes.
        case suspects(blame: Int, jobs: Int)
    }

    /// The interval at which a node looks into an empty queue by itself, if nobody tells it of new jobs.
    public static let emptyInterval = Duration.seconds(1)
    /// The interval at which a node asks for jobs of other hosts while slow ones fill its slice.
    public static let topUpInterval = Duration.seconds(2)
    /// The number of slices of jobs waiting for a moment that a node holds before they count as others.
    public static let waitingSlices = 10

    /// The most jobs that are claimed at once.
    public let slice: Int

    /// The most times its even share that is claimed from a bucket.
    ///
    /// Most buckets may be empty: then the others have to give more, or no slice would ever be full. It grows
    /// while slices come back short, and shrinks when they are full.
    private var depth = 1
    /// The time when a claim last found that there is no more; nil if there may be.
    private var emptyAt: Duration?
    /// The time when the last claim was made; nil before the first.
    private var claimedAt: Duration?
    /// True if the last claim found that there is no more.
    public var isIdle: Bool { emptyAt != nil || claimedAt == nil }

    /// A plan for slices of so many jobs.
    public init(slice: Int) { self.slice = max(1, slice) }

    /// Returns what to claim now; nil for nothing.
    ///
    /// The next slice is claimed when the last is half empty: so a daemon has work while the database is
    /// asked. Before a job that goes alone, a node finishes what it holds; a group of suspects goes beside other
    /// work, one at a time.
    ///
    /// A few hosts that are slow could fill half a slice, and the node would have nothing else to do. So
    /// it is topped up now and then with jobs of buckets of which it holds less than their share, and with the first
    /// jobs of new batches, until it holds two slices.
    public func claim(_ situation: Situation, at now: Duration) -> Claim? {
        guard situation.standing == .works, !situation.isClosed, situation.buckets > 0,
            !situation.holdsAlone
        else { return nil }
        for blame in situation.suspects.sorted(by: >) {
            switch Poison(blame: blame) {
            case .alone: return situation.held == 0 ? .suspects(blame: blame, jobs: 1) : nil
            case .grouped(let most) where !situation.holdsGroup:
                return .suspects(blame: blame, jobs: min(slice, most))
            case .grouped, .none, .proven: continue
            }
        }
        if let emptyAt, now - emptyAt < Self.emptyInterval { return nil }
        let share = min(slice, slice / situation.buckets + 1)
        let held = situation.held + max(0, situation.waiting - Self.waitingSlices * slice)
        guard held <= slice / 2 else {
            guard situation.waiting <= Self.waitingSlices * slice, held <= 2 * slice, let claimedAt,
                now - claimedAt >= Self.topUpInterval
            else { return nil }
            return .topUp(jobs: slice, perBucket: share)
        }
        let (deep, isTooDeep) = share.multipliedReportingOverflow(by: depth)
        return .slice(jobs: slice, perBucket: isTooDeep ? slice : min(slice, deep))
    }

    /// Notes how many jobs a claim came back with.
    public mutating func claimed(_ count: Int, of claim: Claim, at now: Duration) {
        claimedAt = now
        guard case .slice(let jobs, let perBucket) = claim else { return }
        emptyAt = nil
        if count >= jobs {
            depth = max(1, depth / 2)
        } else if perBucket < jobs, count >= perBucket {
            // One of them may have had more.
            depth *= 2
        } else {
            (depth, emptyAt) = (1, now)
        }
    }

    /// Notes that there may be jobs again, because somebody has told so or buckets have come.
    public mutating func heard() { emptyAt = nil }
}
