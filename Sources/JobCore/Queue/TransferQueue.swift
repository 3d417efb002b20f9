/// Which job is fetched next: higher priority first, then the older job,
/// within a limit on all transfers and one on those to a single host.
///
/// Holds a few words for each queued job, so that a hundred thousand are
/// cheap. A job whose host is at its limit steps aside and costs nothing
/// until a transfer to that host ends.
public struct TransferQueue: Sendable {
    /// How many transfers may be under way.
    public struct Limits: Hashable, Sendable {
        /// At once, altogether.
        public var total: Int
        /// At once, to one host.
        public var perHost: Int

        /// Limits; each is 1 at least.
        public init(total: Int, perHost: Int) {
            self.total = max(1, total)
            self.perHost = max(1, perHost)
        }
    }

    private struct Entry: Comparable, Sendable {
        var priority: Int
        var job: JobID

        static func < (lhs: Entry, rhs: Entry) -> Bool {
            (-lhs.priority, lhs.job) < (-rhs.priority, rhs.job)
        }
    }

    private struct Queued: Sendable {
        var host: Int
        var priority: Int
    }

    private struct Host: Sendable {
        var active = 0
        var aside = PriorityHeap<Entry>()
    }

    /// The limits in force; a change works from the next ``next()`` on.
    public private(set) var limits: Limits
    private var ready = PriorityHeap<Entry>()
    /// What is queued; heaps may hold entries that no longer are, and skip them.
    private var queued: [JobID: Queued] = [:]
    private var active: [JobID: Int] = [:]
    private var hosts: [Host] = []
    private var hostNumbers: [String: Int] = [:]

    /// An empty queue.
    public init(limits: Limits) { self.limits = limits }

    /// How many jobs wait for a slot.
    public var queuedCount: Int { queued.count }
    /// How many jobs have a slot.
    public var activeCount: Int { active.count }

    /// Whether a job waits for a slot.
    public func isQueued(_ job: JobID) -> Bool { queued[job] != nil }

    /// Adds a job, or moves one that is queued already.
    ///
    /// A job that has a slot stays where it is.
    public mutating func enqueue(_ job: JobID, host: String, priority: Int) {
        guard active[job] == nil else { return }
        let number = hostNumber(host)
        queued[job] = Queued(host: number, priority: priority)
        ready.insert(Entry(priority: priority, job: job))
    }

    /// Takes a job out that waits for a slot.
    public mutating func remove(_ job: JobID) {
        queued[job] = nil
    }

    /// Gives a slot to the next job, if there is a job and a slot for it.
    public mutating func next() -> JobID? {
        guard active.count < limits.total else { return nil }
        while let entry = ready.popFirst() {
            guard let job = queued[entry.job], job.priority == entry.priority else { continue }
            guard hosts[job.host].active < limits.perHost else {
                hosts[job.host].aside.insert(entry)
                continue
            }
            queued[entry.job] = nil
            active[entry.job] = job.host
            hosts[job.host].active += 1
            return entry.job
        }
        return nil
    }

    /// Takes a job's slot back.
    public mutating func release(_ job: JobID) {
        guard let host = active.removeValue(forKey: job) else { return }
        hosts[host].active -= 1
        bringBack(host)
    }

    /// Changes the limits; transfers under way go on.
    public mutating func setLimits(_ limits: Limits) {
        self.limits = limits
        for host in hosts.indices { bringBack(host) }
    }

    /// Lets as many of a host's jobs compete again as it has slots.
    private mutating func bringBack(_ host: Int) {
        var room = limits.perHost - hosts[host].active
        while room > 0, let entry = hosts[host].aside.popFirst() {
            guard let job = queued[entry.job], job.host == host, job.priority == entry.priority else {
                continue
            }
            ready.insert(entry)
            room -= 1
        }
    }

    private mutating func hostNumber(_ host: String) -> Int {
        if let number = hostNumbers[host] { return number }
        hosts.append(Host())
        hostNumbers[host] = hosts.count - 1
        return hosts.count - 1
    }
}
