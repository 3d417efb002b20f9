/// Decides which job is fetched next: higher priority first, then the older job, within a limit on all
/// transfers and a limit on those to one host.
///
/// A queued job takes only a few words of memory, so that a hundred thousand are cheap. A job whose host
/// is at its limit steps aside and costs nothing until a transfer to that host ends.
public struct TransferQueue: Sendable {
    /// The limits on the number of running transfers.
    public struct Limits: Hashable, Sendable {
        /// The most transfers at once.
        public var total: Int
        /// The most transfers at once to one host.
        public var perHost: Int

        /// Creates limits, each raised to 1 if it is lower.
        public init(total: Int, perHost: Int) {
            self.total = max(1, total)
            self.perHost = max(1, perHost)
        }
    }

    /// A job's place in a heap, valid only while its serial number is the job's latest.
    private struct Entry: Comparable, Sendable {
        var job: JobID
        var priority: Int32
        var serial: UInt32

        static func < (lhs: Entry, rhs: Entry) -> Bool {
            // In 64 bits, since a damaged store may hold any priority, and negating the lowest would
            // trap.
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
        /// The number of jobs that wait for a permit.
        var queued = 0
        var aside = PriorityHeap<Entry>()
    }

    /// The limits in force; a change applies from the next ``next()``.
    public private(set) var limits: Limits
    private var ready = PriorityHeap<Entry>()
    /// The queued jobs; heaps may also hold stale entries, which are skipped.
    private var queued: [JobID: Queued] = [:]
    private var active: [JobID: Int32] = [:]
    private var lastSerial: UInt32 = 0
    /// The hosts that have jobs here, by number; numbers are reused.
    private var hosts: [Int32: Host] = [:]
    private var hostNumbers: [String: Int32] = [:]
    private var unusedNumbers: [Int32] = []
    /// The number of entries in all heaps, stale ones included.
    private(set) var entryCount = 0

    /// Creates an empty queue.
    public init(limits: Limits) { self.limits = limits }

    /// The number of jobs that wait for a permit.
    public var queuedCount: Int { queued.count }
    /// The number of jobs that have a permit.
    public var activeCount: Int { active.count }
    /// The number of hosts with jobs that wait for a permit or have one.
    public var hostCount: Int { hosts.count }

    /// Whether a job waits for a permit.
    public func isQueued(_ job: JobID) -> Bool { queued[job] != nil }

    /// Adds a job, or moves it if it is queued already.
    ///
    /// Does nothing if the job has a permit.
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

    /// Removes a job that waits for a permit.
    public mutating func remove(_ job: JobID) {
        guard let host = queued.removeValue(forKey: job)?.host else { return }
        hosts[host]?.queued -= 1
        forgetIfUnused(host)
    }

    /// Gives a permit to the next job and returns it, or returns nil if no job can have one now.
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

    /// Changes the limits; running transfers go on.
    public mutating func setLimits(_ limits: Limits) {
        self.limits = limits
        for host in hosts.keys.sorted() { bringBack(host) }
    }

    /// Lets as many of a host's jobs compete again as the host has free permits.
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

    /// How many stale entries are kept at most: per queued job, and in addition overall.
    private static let spareEntries = (each: 1, inAll: 1024)

    private mutating func insert(_ entry: Entry) {
        ready.insert(entry)
        entryCount += 1
        // Each job that is moved or removed leaves a stale entry behind.
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

    /// Forgets a host that no longer has any jobs.
    private mutating func forgetIfUnused(_ number: Int32) {
        guard let host = hosts[number], host.active == 0, host.queued == 0 else { return }
        entryCount -= host.aside.count
        hosts[number] = nil
        hostNumbers[host.name] = nil
        // Without hosts, numbers start from 0 again and the list of free ones isn't needed.
        if hosts.isEmpty { unusedNumbers = [] } else { unusedNumbers.append(number) }
    }
}
