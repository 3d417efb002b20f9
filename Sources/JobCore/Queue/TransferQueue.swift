/// Decides which job is fetched next: higher priority first, then the older job, within a limit on all
/// transfers and one on those to a single host.
///
/// Holds a few words for each queued job, so that a hundred thousand are
/// cheap. A job whose host is at its limit steps aside and costs nothing
/// until a transfer to that host ends.
public struct TransferQueue: Sendable {
    /// The limits on transfers under way.
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

    /// A job's place in a heap; good as long as it is the last that the job was given.
    private struct Entry: Comparable, Sendable {
        var job: JobID
        var priority: Int32
        var serial: UInt32

        static func < (lhs: Entry, rhs: Entry) -> Bool {
            // Wider, since a damaged store may have any number.
            (-Int64(lhs.priority), lhs.job) < (-Int64(rhs.priority), rhs.job)
        }
    }

    private struct Queued: Sendable {
        var host: Int32
        var priority: Int32
        var serial: UInt32
    }

    private struct Host: Sendable {
        var name: String
        var active = 0
        /// How many jobs wait for a permit.
        var queued = 0
        var aside = PriorityHeap<Entry>()
    }

    /// The limits in force; a change works from the next ``next()`` on.
    public private(set) var limits: Limits
    private var ready = PriorityHeap<Entry>()
    /// What is queued; heaps may hold entries that no longer are, and skip them.
    private var queued: [JobID: Queued] = [:]
    private var active: [JobID: Int32] = [:]
    private var lastSerial: UInt32 = 0
    /// Those that have jobs here, by numbers that are given again.
    private var hosts: [Int32: Host] = [:]
    private var hostNumbers: [String: Int32] = [:]
    private var unusedNumbers: [Int32] = []
    /// Entries in all heaps.
    private(set) var entryCount = 0

    /// An empty queue.
    public init(limits: Limits) { self.limits = limits }

    /// How many jobs wait for a permit.
    public var queuedCount: Int { queued.count }
    /// How many jobs have a permit.
    public var activeCount: Int { active.count }
    /// How many hosts have jobs that wait or have a permit.
    public var hostCount: Int { hosts.count }

    /// Whether a job waits for a permit.
    public func isQueued(_ job: JobID) -> Bool { queued[job] != nil }

    /// Adds a job, or moves one that is queued already.
    ///
    /// A job that has a permit stays where it is.
    public mutating func enqueue(_ job: JobID, host: String, priority: Int) {
        guard active[job] == nil else { return }
        let priority = Int32(clamping: priority)
        if let before = queued[job], before.priority == priority, hosts[before.host]?.name == host { return }
        remove(job)
        let number = hostNumber(host)
        lastSerial &+= 1
        queued[job] = Queued(host: number, priority: priority, serial: lastSerial)
        hosts[number]?.queued += 1
        insert(Entry(job: job, priority: priority, serial: lastSerial))
    }

    /// Takes a job out that waits for a permit.
    public mutating func remove(_ job: JobID) {
        guard let host = queued.removeValue(forKey: job)?.host else { return }
        hosts[host]?.queued -= 1
        forgetIfUnused(host)
    }

    /// Gives a permit to the next job, if there is a job and a permit for it.
    public mutating func next() -> JobID? {
        guard active.count < limits.total else { return nil }
        while let entry = ready.popFirst() {
            guard let job = queued[entry.job], job.serial == entry.serial,
                let busy = hosts[job.host]?.active
            else {
                entryCount -= 1
                continue
            }
            guard busy < limits.perHost else {
                hosts[job.host]?.aside.insert(entry)
                continue
            }
            entryCount -= 1
            queued[entry.job] = nil
            active[entry.job] = job.host
            hosts[job.host]?.active += 1
            hosts[job.host]?.queued -= 1
            return entry.job
        }
        return nil
    }

    /// Takes a job's permit back.
    public mutating func release(_ job: JobID) {
        guard let host = active.removeValue(forKey: job) else { return }
        hosts[host]?.active -= 1
        bringBack(host)
        forgetIfUnused(host)
    }

    /// Changes the limits; transfers under way go on.
    public mutating func setLimits(_ limits: Limits) {
        self.limits = limits
        for host in hosts.keys.sorted() { bringBack(host) }
    }

    /// Lets as many of a host's jobs compete again as it has permits.
    private mutating func bringBack(_ host: Int32) {
        var room = limits.perHost - (hosts[host]?.active ?? limits.perHost)
        while room > 0, let entry = hosts[host]?.aside.popFirst() {
            guard queued[entry.job]?.serial == entry.serial else {
                entryCount -= 1
                continue
            }
            ready.insert(entry)
            room -= 1
        }
    }

    /// Entries beside those of queued jobs that are kept at the most, for each of these and in all.
    private static let spareEntries = (each: 1, inAll: 1024)

    private mutating func insert(_ entry: Entry) {
        ready.insert(entry)
        entryCount += 1
        // Each job that is moved or taken out leaves an entry behind.
        let most = queued.count * (1 + Self.spareEntries.each) + Self.spareEntries.inAll
        guard entryCount > most else { return }
        ready = PriorityHeap(
            queued.map { Entry(job: $0.key, priority: $0.value.priority, serial: $0.value.serial) }
        )
        for host in hosts.keys { hosts[host]?.aside = PriorityHeap() }
        entryCount = queued.count
    }

    private mutating func hostNumber(_ host: String) -> Int32 {
        if let number = hostNumbers[host] { return number }
        let number = unusedNumbers.popLast() ?? Int32(clamping: hosts.count)
        hosts[number] = Host(name: host)
        hostNumbers[host] = number
        return number
    }

    /// Forgets a host that has no jobs any more.
    private mutating func forgetIfUnused(_ number: Int32) {
        guard let host = hosts[number], host.active == 0, host.queued == 0 else { return }
        entryCount -= host.aside.count
        hosts[number] = nil
        hostNumbers[host.name] = nil
        // Numbers in use are then those from 0 on, and no list of others is needed.
        if hosts.isEmpty { unusedNumbers = [] } else { unusedNumbers.append(number) }
    }
}
