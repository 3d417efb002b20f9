/// The share of what a node holds that waits for a moment, such as the next try at a host that is down.
///
/// A node may hold some slices of such jobs, which count for nothing beside its work. They are spread evenly over the
/// buckets that have any, so that no host takes the room of all others; what is beyond that goes back to the queue, and
/// of a bucket that has its share hardly anything more is claimed.
public struct WaitingShare: Hashable, Sendable {
    /// The most jobs that are claimed now and then of a bucket that has its share.
    public static let mostTried = 10

    /// The seconds for which nobody claims what goes back, lest it take the turns of all others of its bucket.
    public static let pause = 600.0

    /// The buckets that have their share.
    public let full: Set<Int>
    /// The jobs that go back to the queue: those that were claimed last, so that the others come to an end.
    public let surplus: Set<FleetJob>

    /// Shares out what waits, by its buckets, of a node whose slices have so many jobs.
    public init(_ waiting: [FleetJob: Int] = [:], slice: Int) {
        let buckets = Dictionary(grouping: waiting, by: \.value).mapValues { $0.map(\.key) }
        let most = max(1, min(slice, ClaimPlan.waitingSlices * slice / max(1, buckets.count)))
        full = Set(buckets.filter { $0.value.count >= most }.keys)
        surplus = Set(
            buckets.values.flatMap { jobs in
                jobs.sorted { ($0.token, $0.job) < ($1.token, $1.job) }.dropFirst(most)
            }
        )
    }

    /// Returns of which buckets less is to be claimed, and how much less, where so many are held of some and at most so
    /// many are claimed of each.
    ///
    /// Of those that have their share that is nothing, or a few jobs, which may be of another host.
    public func lessened(_ held: [Int: Int], perBucket: Int, tries: Bool) -> [Int: Int] {
        let less = tries ? max(0, perBucket - Self.mostTried) : perBucket
        return held.merging(full.map { ($0, less) }) { _, full in full }
    }
}
