import FleetCore
import Vocabulary

/// The slices that a node holds, and what its daemon has of them.
struct Slices {
    /// A slice that is still to be posted.
    struct Unposted {
        /// Its items by ascending number.
        var items: [ClaimedItem]
        /// The key under which it is posted.
        var key: String
        /// True if a post has been tried, so that the daemon may have it.
        var mayBeThere: Bool
    }

    /// A slice that the daemon has.
    struct Posted {
        /// The batch in the daemon.
        var batch: Int64
        /// The time when it was renewed last; nil if it has lapsed.
        var renewedAt: Duration?
    }

    /// Jobs that are still to be posted, by slice.
    var unposted: [Int64: Unposted] = [:]
    /// Jobs that the daemon has, by slice.
    var posted: [Int64: Posted] = [:]
    /// The jobs that are held and haven't been reported.
    private(set) var held: [Int64: Set<FleetJob>] = [:]
    /// The slices of suspects, with what is done with those.
    private var suspects: [Int64: Poison] = [:]
    /// The slices of which nothing is held any more, until the queue has heard of it.
    var finished: [Int64] = []
    /// The bucket of each job that is held, and its host with the port, as daemons name it.
    private var places: [FleetJob: (bucket: Int, host: String)] = [:]
    /// The jobs that waited for a moment, such as the next try, when the daemon was last asked.
    private var waiting: Set<FleetJob> = []
    /// The shares of the buckets in what waits.
    private(set) var shares = WaitingShare(slice: 1)
    /// True if nothing has been claimed since the daemon was last asked what waits.
    private var tries = false
    /// The jobs that the node has had cancelled to give them back.
    private(set) var returning: Set<FleetJob> = []
    /// The daemon's batches of slices that are others' now: they are cancelled, and forgotten once they have
    /// ended and that was read.
    var abandoned: Set<Int64> = []

    /// The number of jobs held.
    var count: Int { held.values.reduce(0) { $0 + $1.count } }
    /// The jobs that are held.
    var jobs: [FleetJob] { held.values.flatMap { $0 } }
    /// The number of jobs held that wait for a moment.
    var waitingCount: Int { waiting.count }
    /// Returns whether a suspect of a kind is held that doesn't wait for a moment.
    func holds(_ isMeant: (Poison) -> Bool) -> Bool {
        suspects.contains { token, poison in
            isMeant(poison) && held[token]?.contains { !waiting.contains($0) } ?? false
        }
    }
    /// Returns whether a job is held.
    func holds(_ job: FleetJob) -> Bool { held[job.token]?.contains(job) == true }
    /// Returns whether anything is held of a job's slice.
    func holdsSlice(of job: FleetJob) -> Bool { held[job.token]?.first?.fleet == job.fleet }
    /// The jobs that the daemon has.
    var begun: [FleetJob] { posted.keys.flatMap { held[$0] ?? [] } }
    /// Returns the bucket of a job that is held.
    func bucket(of job: FleetJob) -> Int? { places[job]?.bucket }
    /// The number of jobs that are held of each bucket, without those that wait for a moment.
    private var perBucket: [Int: Int] {
        var counts: [Int: Int] = [:]
        for (job, place) in places where !waiting.contains(job) { counts[place.bucket, default: 0] += 1 }
        return counts
    }

    /// Returns of which buckets less is claimed, and how much less: what is held of them where a claim tops up, and what
    /// has its share of waiting ones, but for one claim after each look.
    mutating func lessened(for claim: ClaimPlan.Claim) -> [Int: Int] {
        defer { tries = false }
        return switch claim {
        case .slice(_, let most): shares.lessened([:], perBucket: most, tries: tries)
        case .topUp(_, let most): shares.lessened(perBucket, perBucket: most, tries: tries)
        case .suspects: [:]
        }
    }

    /// Returns the buckets of which a claim takes the first jobs of batches, however much is held of them: at a slow
    /// host, somebody else's would have to wait until half a slice has ended.
    func new(for claim: ClaimPlan.Claim) -> Set<Int> {
        guard case .topUp = claim else { return [] }
        return Set(perBucket.keys).subtracting(shares.full)
    }

    /// Returns the jobs that are held of hosts, with what is known of those.
    func jobs<Value>(at hosts: [String: Value]) -> [FleetJob: Value] {
        hosts.isEmpty ? [:] : places.compactMapValues { hosts[$0.host] }
    }

    /// Adds items that are marked as this node's, and are to be posted.
    mutating func add(_ items: [ClaimedItem], mayBeThere: Bool) {
        for (token, items) in Dictionary(grouping: items, by: \.job.token) {
            unposted[token] = Unposted(items: items, key: items[0].job.key, mayBeThere: mayBeThere)
            held[token] = Set(items.map(\.job))
            for item in items {
                places[item.job] = (item.bucket, (try? JobURL(item.url))?.hostKey ?? "")
            }
            let poison = Poison(blame: items.map(\.takeovers).max() ?? 0)
            if poison != .none { suspects[token] = poison }
        }
    }

    /// Notes that a job is no longer held, and returns the daemon's batch if it was the slice's last.
    mutating func drop(_ job: FleetJob) -> Int64? {
        places[job] = nil
        waiting.remove(job)
        returning.remove(job)
        guard held[job.token]?.remove(job) != nil, held[job.token]?.isEmpty == true else { return nil }
        held[job.token] = nil
        suspects[job.token] = nil
        finished.append(job.token)
        unposted[job.token] = nil
        return posted.removeValue(forKey: job.token)?.batch
    }

    /// Returns the jobs of a slice that are held and of which nothing is known.
    func lacking(of token: Int64, known: Set<FleetJob>) -> [FleetJob] {
        (held[token] ?? []).subtracting(known).sorted { $0.job < $1.job }
    }

    /// Gives up a slice that has been given back whole.
    mutating func abandon(_ token: Int64) {
        if let batch = posted[token]?.batch { abandoned.insert(batch) }
        for job in held[token] ?? [] { _ = drop(job) }
    }

    /// Gives up all that is held: others own it.
    mutating func abandonAll() {
        abandoned.formUnion(posted.values.map(\.batch))
        (unposted, posted, held, suspects) = ([:], [:], [:], [:])
        (places, waiting, returning) = ([:], [], [])
        shares = WaitingShare(slice: 1)
    }

    /// Notes which jobs wait for a moment, on a node whose slices have so many jobs.
    mutating func wait(_ jobs: Set<FleetJob>, slice: Int) {
        waiting = jobs.filter { places[$0] != nil }
        let buckets = waiting.subtracting(returning).map { ($0, places[$0]?.bucket ?? 0) }
        shares = WaitingShare(Dictionary(uniqueKeysWithValues: buckets), slice: slice)
        tries = true
    }

    /// Notes that a job has been cancelled to give it back.
    mutating func give(_ job: FleetJob) { if places[job] != nil { returning.insert(job) } }
}
