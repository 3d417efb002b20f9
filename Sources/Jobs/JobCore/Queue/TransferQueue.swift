import JobModel
import Vocabulary

/// Decides which job is fetched next: what someone looks at first, then by higher priority, then the flow
/// that has had the least, then the older job, within a limit on all transfers and a limit on those to one
/// host.
///
/// Flows of one priority get bytes by their weights while each has jobs waiting, so that five files don't
/// stand behind a hundred thousand.
///
/// A queued job takes only a few words of memory, and jobs that follow each other and are queued as one list
/// share those, so that a million are cheap. Jobs whose host is at its limit step aside and cost nothing until
/// a transfer to that host ends.
public struct TransferQueue: Sendable {
    /// The limits in force; a change applies from the next ``next()``.
    public private(set) var limits: Limits
    var ready = AttendedHeap<TransferEntry>()
    /// The flows that share the permits, by bytes.
    var flows = FlowTable()
    /// The queued jobs; heaps may also hold stale entries, which are skipped.
    var queued = JobTable<Queued>()
    var active: [JobID: Active] = [:]
    /// The jobs that someone looks at, here or not.
    var interests: [JobID: Interest] = [:]
    /// The queued jobs that someone looks at.
    var attended: Set<JobID> = []
    /// The displacements of jobs by others.
    var displacements = Displacements()
    var lastSerial: UInt32 = 0
    /// The hosts that have jobs here.
    var hosts = HostTable()
    /// The patience with the line to all hosts.
    public internal(set) var line = LinePatience()
    /// The hosts at which jobs stepped aside until some moment.
    var sleepers = PriorityHeap<HostWake>()
    /// The flows that yield, by the host at which they do.
    var yielding: [Int32: Set<UInt32>] = [:]
    /// The number of entries in all heaps, stale ones included.
    var entryCount = 0
    /// The numbers of transfers that don't count as others do.
    var load = HostLoad()
    /// The hosts that couldn't be tried, since too many are silent at once; stale ones may be among them.
    var untriable = PriorityHeap<Int32>()
    /// The patience with hosts that bring nothing.
    var patience = HostReturns.Patience()
    /// The bytes that came lately.
    var arrivals = Arrivals()
    /// A moment before which no host falls silent.
    var silentAt: Moment?
    /// The highest priority of what has begun to wait since the last recall, by host.
    var newcomers: [Int32: Int32] = [:]
    var lastPermit = 0
    /// The hosts with permits that have been released, whose jobs compete again once the next one is chosen: after each
    /// release, all that there is room for would come back, and step aside again.
    var freed: Set<Int32> = []

    /// The cost of a request besides the bytes that it brings, in bytes, so that flows take turns before
    /// anything has arrived, and files of no length are not free.
    static let requestCost = 16_384.0

    public init(limits: Limits, rules: HostRules = HostRules()) {
        self.limits = limits
        hosts.setRules(rules)
    }

    /// The number of jobs that wait for a permit.
    public var queuedCount: Int { queued.count }
    /// The number of jobs that have a permit.
    public var activeCount: Int { active.count }
    /// The jobs that have a permit, in no particular order.
    public var activeJobs: [JobID] { Array(active.keys) }
    /// The number of hosts with jobs that wait for a permit or have one.
    public var hostCount: Int { hosts.all.count }

    /// The number of flows with jobs that wait for a permit or have one.
    public var flowCount: Int { flows.count }

    /// Returns whether a job waits for a permit.
    public func isQueued(_ job: JobID) -> Bool { queued[job] != nil }

    /// Adds a job, or moves it if it is queued already.
    ///
    /// Does nothing if the job has a permit.
    public mutating func enqueue(
        _ job: JobID,
        host: String,
        priority: Int,
        of flow: Flow,
        weight: Int = 1
    ) {
        guard active[job] == nil else { return }
        let priority = Int32(clamping: priority)
        if let before = queued[job], before.priority == priority, hosts.all[before.host]?.name == host {
            return
        }
        remove(job)
        let number = hosts.number(of: host)
        lastSerial &+= 1
        let place = Queued(
            host: number,
            priority: priority,
            serial: lastSerial,
            flow: flows.join(flow, priority: priority, weight: weight)
        )
        queued.set(place, for: job)
        if interests[job] != nil { attended.insert(job) }
        hosts.all[number]?.queued += 1
        insert(job, place)
    }

    /// Adds jobs that follow each other and have all of this in common, which costs little more than to add one.
    public mutating func enqueue(
        _ jobs: ClosedRange<JobID>,
        host: String,
        priority: Int,
        of flow: Flow,
        weight: Int = 1
    ) {
        let known = { (job: JobID) in jobs.contains(job) }
        guard queued.isEmpty(in: jobs), !active.keys.contains(where: known),
            !interests.keys.contains(where: known)
        else {
            for number in jobs.lowerBound.rawValue...jobs.upperBound.rawValue {
                enqueue(JobID(rawValue: number), host: host, priority: priority, of: flow, weight: weight)
            }
            return
        }
        let (number, priority) = (hosts.number(of: host), Int32(clamping: priority))
        let count = Int(jobs.upperBound.rawValue - jobs.lowerBound.rawValue) + 1
        lastSerial &+= 1
        let place = Queued(
            host: number,
            priority: priority,
            serial: lastSerial,
            flow: flows.join(flow, priority: priority, weight: weight, count: count)
        )
        queued.set(place, for: jobs)
        hosts.all[number]?.queued += count
        makeReady(jobs, place)
    }

    /// Removes a job that waits for a permit.
    public mutating func remove(_ job: JobID) { remove(CollectionOfOne(job)) }

    /// Removes jobs that wait for permits.
    public mutating func remove(_ jobs: some Collection<JobID>) {
        var left: Set<Int32> = []
        for job in jobs {
            guard let place = queued.remove(job) else { continue }
            attended.remove(job)
            flows.leave(place.flow)
            hosts.all[place.host]?.queued -= 1
            left.insert(place.host)
        }
        for host in left {
            // One of them may have been next in turn for the host's free permit.
            bringBack(host)
            forgetIfUnused(host)
        }
    }

    /// Gives a permit to the next job and returns it, or returns nil if no job can have one now.
    ///
    /// While a file in view comes from a host, nothing else is begun there, but for what is near, and nothing
    /// of a flow that is ahead of one whose file comes from there; for no longer than ``longestYield``.
    /// ``yieldsUntil(now:)`` says when to call again for that. Without a moment, nobody yields.
    ///
    /// Nothing is begun at a host before its time (``HostClock``), nor while nothing gets through
    /// (``LinePatience``); ``opensAt(now:)`` says when to call again for that.
    public mutating func next(now: Moment? = nil) -> JobID? {
        while true {
            if let job = choose(now: now) { return job }
            guard limits.trials > 0, bringBackUntriable() else { return nil }
        }
    }

    /// Records the number of bytes of a job's file that are there before its transfer, and whether that has a rate of its
    /// own.
    public mutating func begin(_ job: JobID, at offset: Int64, hasOwnRate: Bool = false) {
        active[job]?.bytes = offset
        active[job]?.marked = offset
        active[job]?.hasOwnRate = hasOwnRate
    }

    /// Charges a job's flow for what has arrived; `bytes` is the number of bytes that are there now.
    public mutating func progress(_ job: JobID, to bytes: Int64, now: Moment? = nil) {
        guard let permit = active[job] else { return }
        active[job]?.bytes = bytes
        // Fewer than before are there because the transfer has begun anew.
        flows.charge(permit.flow, Double(max(0, bytes - permit.bytes)))
        guard let now else { return }
        noteArrival(of: max(0, bytes - permit.bytes), now: now)
        // Fewer: it has begun anew.
        if bytes < permit.marked { active[job]?.marked = bytes }
        if bytes - permit.marked >= HostReturns.leastBytes { noteReturn(of: job, now: now) }
    }

    /// Releases a job's permit; `bytes` is the number of bytes that are there now.
    public mutating func release(_ job: JobID, at bytes: Int64 = 0, now: Moment? = nil) {
        progress(job, to: bytes, now: now)
        noteAnsweredEnd(of: job, now: now)
        guard let permit = active.removeValue(forKey: job) else { return }
        let givesWay = displacements.isGivingWay(job)
        displacements.ended(job)
        flows.leave(permit.flow)
        let host = permit.host
        if let now, !permit.isUnsent { noteEnd(at: host, now: now) }
        change(host) { $0.hosts.all[host]?.active -= 1 }
        hosts.withClock(at: host) { $0.patience.left(job) }
        freed.insert(host)
        forgetIfUnused(host, isAwaited: givesWay)
    }

    /// Changes the limits; running transfers go on.
    public mutating func setLimits(_ limits: Limits) {
        self.limits = limits
        recount()
        for host in hosts.all.keys.sorted() { bringBack(host) }
    }

    /// The largest number of stale entries: per queued job, and in addition overall.
    private static let spareEntries = (each: 1, inAll: 1024)

    mutating func insert(_ job: JobID, _ place: Queued) {
        makeReady(job...job, place)
        // Each job that is moved or removed leaves a stale entry behind.
        let most = queued.count * (1 + Self.spareEntries.each) + Self.spareEntries.inAll
        guard entryCount > most else { return }
        ready = AttendedHeap()
        for host in hosts.all.keys { hosts.all[host]?.aside = AttendedHeap() }
        entryCount = 0
        let jobs = queued
        jobs.forEachRun { makeReady($0, $1) }
    }

    /// Lets jobs that were queued together compete; one that somebody looks at is by itself.
    private mutating func makeReady(_ jobs: ClosedRange<JobID>, _ place: Queued) {
        noteNewcomer(at: place.host, priority: place.priority)
        guard let turn = flows.turn(of: place.flow) else { return }
        let last = jobs.upperBound
        var first = jobs.lowerBound
        while first <= last {
            let entry = TransferEntry(
                from: first,
                through: last,
                priority: place.priority,
                serial: place.serial
            )
            ready.insert(entry, interests[first], at: turn)
            entryCount += 1
            first = entry.end
        }
    }

    /// Forgets a host that no longer has any jobs.
    private mutating func forgetIfUnused(_ number: Int32, isAwaited: Bool = false) {
        guard let entries = hosts.forgetIfUnused(number, isAwaited: isAwaited) else { return }
        entryCount -= entries
        yielding[number] = nil
        // By itself, the last one takes nothing from others.
        if limits.trials > 0, hosts.all.count == 1, let last = hosts.all.keys.first { freed.insert(last) }
    }
}
