import JobModel
import Vocabulary

/// Permits that are given before there is room for their transfers, so that each follows at once when another one of its
/// host ends.
///
/// Such a transfer takes no room, and counts for nothing but its own host.
extension TransferQueue {
    /// The number of transfers that wait for others of their hosts.
    public var aheadCount: Int { load.ahead }

    /// The number of jobs that have a permit and aren't waiting for another job's end.
    public var underWayCount: Int { active.count - aheadCount }

    /// Returns the jobs whose requests have to go back if they wait for others of their hosts, each once: those of all
    /// hosts if somebody looks at something that waits, and otherwise those of lower priority than what has begun to
    /// wait for their host.
    ///
    /// Which ones do wait is known to the transfer thread alone.
    public mutating func takeRecalls() -> [JobID] {
        defer { newcomers.removeAll(keepingCapacity: true) }
        guard aheadCount > 0, !attended.isEmpty || !newcomers.isEmpty else { return [] }
        let recalled = active.filter { _, permit in
            guard !permit.isRecalled, waitingAhead(at: permit.host) > 0 else { return false }
            return !attended.isEmpty || newcomers[permit.host].map { permit.priority < $0 } ?? false
        }
        for job in recalled.keys { active[job]?.isRecalled = true }
        return recalled.keys.sorted()
    }

    /// Notes that a job's request was never sent; its permit is about to be released.
    public mutating func noteUnsent(_ job: JobID) { active[job]?.isUnsent = true }

    /// Notes that a job waits for its host.
    mutating func noteNewcomer(at host: Int32, priority: Int32) {
        guard aheadCount > 0 else { return }
        newcomers[host] = max(newcomers[host] ?? priority, priority)
    }

    /// Returns the jobs whose requests wait for others of their hosts, as far as that is known here: those that were
    /// given their permits last, of those for which `awaitsAnswer` holds.
    public func jobsAhead(where awaitsAnswer: (JobID) -> Bool) -> Set<JobID> {
        guard aheadCount > 0 else { return [] }
        var jobs: Set<JobID> = []
        for (host, permits) in Dictionary(grouping: active, by: \.value.host) {
            let count = waitingAhead(at: host)
            guard count > 0 else { continue }
            let waiting = permits.filter { awaitsAnswer($0.key) }.sorted { $0.value.number > $1.value.number }
            jobs.formUnion(waiting.prefix(count).map(\.key))
        }
        return jobs
    }

    /// Returns the limit that a job's transfer keeps to with others of its host; nil where permits alone limit them.
    ///
    /// Where many requests go over one connection, they don't wait for each other, but are counted: there may soon be
    /// fewer at once, and those that follow wait for these.
    public func turn(of job: JobID) -> TransferTurn? {
        guard limits.ahead > 0, let number = active[job]?.host, let name = hosts.all[number]?.name else {
            return nil
        }
        return TransferTurn(host: name, most: mostActive(at: number))
    }

    /// The number of a host's transfers that wait for others of it.
    func waitingAhead(at host: Int32) -> Int {
        guard limits.ahead > 0, !isWide(host) else { return 0 }
        return max(0, (hosts.all[host]?.active ?? 0) - mostActive(at: host))
    }

    /// The most of a host's transfers that may wait for others of it.
    ///
    /// It is as many as usually end in the time that a commit may take. None do where ends don't follow each other
    /// closely: they would seem to be downloading for long. Nor do any where the next request may have to wait for
    /// something else: for what somebody looks at, the host's pace, or the line. Where many requests go over one
    /// connection, it has no pauses.
    func mostAhead(at number: Int32) -> Int {
        guard limits.ahead > 0, interests.isEmpty, !isWide(number), let host = hosts.all[number],
            let interval = host.interval, hosts.limits(at: number).pace == nil,
            case .open = hosts.clock(at: number).patience.stage
        else { return 0 }
        guard line.isOpen(to: host.name) || host.isLoopback else { return 0 }
        let count = Self.longestCommit / max(interval, Self.longestCommit / Double(limits.ahead))
        return min(limits.ahead, Int(count.rounded(.up)))
    }

    /// Notes the end of a transfer.
    mutating func noteEnd(at host: Int32, now: Moment) {
        guard let known = hosts.all[host] else { return }
        hosts.all[host]?.endedAt = now
        guard let seconds = known.endedAt.map({ now.seconds(since: $0) }), seconds < Self.quickEnds else {
            hosts.all[host]?.interval = nil
            return
        }
        hosts.all[host]?.interval = known.interval.map { $0 + (seconds - $0) / 16 } ?? seconds
    }

    /// The seconds within which another transfer of a host has to end for permits to be given ahead.
    static let quickEnds = 0.5
    /// The seconds that a commit may take on a disk with other work, and for which permits are given ahead.
    static let longestCommit = 0.15

    /// Returns whether a host is at its limit, so that its next transfer only takes another one's place.
    func isAtLimit(_ number: Int32) -> Bool {
        limits.ahead > 0 && !isWide(number) && (hosts.all[number]?.active ?? 0) >= mostActive(at: number)
    }

    private func isWide(_ number: Int32) -> Bool {
        hosts.streams(at: number)?.isWide(in: bounds(at: number)) ?? false
    }
}
