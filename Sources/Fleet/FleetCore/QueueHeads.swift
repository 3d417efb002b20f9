/// The places in the queue at which a node begins to look for jobs, one for each turn in each of its buckets.
///
/// What has ended stays in an index for as long as somebody holds a snapshot, such as a dump: a claim that began at
/// the first row would step over all of it. So it begins at the first job that nobody held when the node last looked.
/// Whoever queues jobs tells of the first of them, and that lowers the places; so does what the node itself gives back.
public struct QueueHeads: Hashable, Sendable {
    /// A place that a look has found; without a turn, for a bucket in which nothing waits.
    public struct Place: Hashable, Sendable {
        /// The bucket.
        public var bucket: Int
        /// The number of the bucket's present ownership.
        public var epoch: Int64
        /// The turn; nil in a bucket in which nothing waits.
        public var turn: Int?
        /// The first job that nobody held.
        public var job: Int64?

        /// Creates a place.
        public init(bucket: Int, epoch: Int64, turn: Int? = nil, job: Int64? = nil) {
            (self.bucket, self.epoch, self.turn, self.job) = (bucket, epoch, turn, job)
        }
    }

    /// The reach of a claim: into which buckets it looks, and how far.
    public struct Reach: Hashable, Sendable {
        /// A bucket, and what may be claimed of it.
        public struct Bucket: Hashable, Sendable {
            /// The bucket.
            public var bucket: Int
            /// The number of its present ownership.
            public var epoch: Int64
            /// The most jobs that are claimed of it.
            public var room: Int
            /// The places from which on it is looked into, one after the other.
            public var heads: [Head]

            /// Creates a bucket, with its turns in their order.
            public init(bucket: Int, epoch: Int64, room: Int, heads: [Head]) {
                (self.bucket, self.epoch, self.room, self.heads) = (bucket, epoch, room, heads)
            }
        }

        /// The first job of a turn.
        public struct Head: Hashable, Sendable {
            /// The turn.
            public var turn: Int
            /// The first job of it that nobody held.
            public var job: Int64

            /// Creates a place from the first job of a turn.
            public init(turn: Int, job: Int64) { (self.turn, self.job) = (turn, job) }
        }

        /// The buckets, in no order.
        public var buckets: [Bucket]

        /// Creates a reach.
        public init(buckets: [Bucket]) { self.buckets = buckets }
    }

    private struct Bucket: Hashable, Sendable {
        var epoch: Int64
        var first: [Int: Int64] = [:]
    }

    /// The most jobs of new batches that are claimed of a bucket that has no room.
    public static let mostNew = 10

    private var buckets: [Int: Bucket] = [:]
    private var forgotten = 0
    private var isTurnOfOld = true

    /// Nothing is known yet.
    public init() {}

    /// All that is known, as a look takes it up.
    public var places: [Place] {
        buckets.flatMap { number, bucket in
            bucket.first.isEmpty
                ? [Place(bucket: number, epoch: bucket.epoch)]
                : bucket.first.map { Place(bucket: number, epoch: bucket.epoch, turn: $0.key, job: $0.value) }
        }
    }

    /// The epoch of each bucket, −1 where nothing is known.
    public var epochs: [Int64] { (0..<BucketShare.buckets).map { buckets[$0]?.epoch ?? -1 } }

    /// The buckets in which something waited when they were last looked at.
    public var waiting: [Int] { buckets.filter { !$0.value.first.isEmpty }.map(\.key) }

    /// Notes what a look at all that is known has found: turns without a job hold nothing, and what isn't told of
    /// isn't the node's any more.
    public mutating func looked(_ places: [Place]) {
        buckets = [:]
        found(places)
    }

    /// Notes what a look at further buckets has found, or at those that have come back; returns the number of those.
    @discardableResult
    public mutating func found(_ places: [Place]) -> Int {
        for place in places {
            if buckets[place.bucket]?.epoch != place.epoch {
                buckets[place.bucket] = Bucket(epoch: place.epoch)
            }
            if let turn = place.turn, let job = place.job { buckets[place.bucket]?.first[turn] = job }
        }
        return Set(places.map(\.bucket)).count
    }

    /// Notes that jobs were queued, in whichever buckets.
    public mutating func heard(_ news: QueueNews) {
        for bucket in buckets.keys {
            for turn in news.turns { lower(bucket: bucket, turn: turn, to: news.job) }
        }
    }

    /// Notes that a job waits again.
    public mutating func lower(bucket: Int, turn: Int, to job: Int64) {
        guard let known = buckets[bucket] else { return }
        buckets[bucket]?.first[turn] = min(job, known.first[turn] ?? job)
    }

    /// Forgets one bucket after the other: the next look reads it from its beginning, and finds also what nobody has
    /// told of, such as what was queued by hand.
    public mutating func forgetOne() {
        buckets[forgotten] = nil
        forgotten = (forgotten + 1) % BucketShare.buckets
    }

    /// Returns what a claim is to look into that takes so many jobs of a bucket at most, in whichever order of buckets.
    ///
    /// Within a priority, each second claim begins with the last turn, so that batches which come again and again don't
    /// hold up a long one.
    ///
    /// - Parameters:
    ///   - less: How many fewer are taken of single buckets.
    ///   - new: Buckets of which the first jobs of batches are taken also where there is no room for others.
    public mutating func reach(perBucket: Int, less: [Int: Int], new: Set<Int> = []) -> Reach {
        isTurnOfOld.toggle()
        let sign = isTurnOfOld ? -1 : 1
        return Reach(
            buckets: buckets.compactMap { number, bucket in
                let room = perBucket - less[number, default: 0]
                var heads = bucket.first.map { Reach.Head(turn: $0.key, job: $0.value) }
                if room <= 0 { heads = new.contains(number) ? heads.filter { $0.turn & 7 == 0 } : [] }
                guard !heads.isEmpty else { return nil }
                return Reach.Bucket(
                    bucket: number,
                    epoch: bucket.epoch,
                    room: room > 0 ? room : Self.mostNew,
                    heads: heads.sorted { ($0.turn >> 3, sign * $0.turn) < ($1.turn >> 3, sign * $1.turn) }
                )
            }
        )
    }
}
