import JobModel
import Vocabulary

/// Requests that share connections.
extension TransferQueue {
    /// Notes what is heard of a host's connections from a job that has a permit there.
    ///
    /// The host is named like ``JobURL/hostKey``.
    public mutating func hostShares(_ host: String, _ news: StreamNews) {
        guard limits.streams > 1, let number = hosts.known(host) else { return }
        let before = mostActive(at: number)
        let active = (hosts.all[number]?.active ?? 0) - waitingAhead(at: number)
        let bounds = bounds(at: number)
        change(number) { queue in
            queue.hosts.withStreams(at: number) { $0.note(news, of: active, in: bounds) }
        }
        if mostActive(at: number) > before { bringBack(number) }
    }

    /// The limits on the requests to a host.
    ///
    /// A host with a limit of its own is asked no more at once than that says, over however few connections.
    func bounds(at host: Int32) -> HostStreams.Bounds {
        let own = hosts.limits(at: host).perHost
        let connections = own ?? limits.perHost
        let streams = own != nil || limits.total == 1 ? connections : limits.streams
        return HostStreams.Bounds(connections: connections, streams: streams)
    }

    /// The most transfers at once from a host.
    func mostActive(at host: Int32) -> Int {
        guard let streams = hosts.streams(at: host) else {
            return hosts.limits(at: host).perHost ?? limits.perHost
        }
        return streams.most(in: bounds(at: host))
    }

    /// Returns how a job's request is spread with others of its host; nil where each connection is filled in turn.
    public func spread(of job: JobID) -> ConnectionSpread? {
        guard let number = active[job]?.host, let streams = hosts.streams(at: number) else { return nil }
        return streams.spread(in: bounds(at: number))
    }

    /// Returns whether a host may have one transfer more, as far as it goes by its limits.
    ///
    /// What goes beyond its connections leaves a share of all transfers to other hosts, so that a few wide ones that
    /// hang don't keep everybody waiting.
    func hasRoom(at host: Int32) -> Bool {
        guard let busy = hosts.all[host]?.active else { return false }
        let most = mostActive(at: host)
        guard busy < most || busy < most + mostAhead(at: host) else { return false }
        guard hosts.streams(at: host) != nil, busy >= bounds(at: host).connections else { return true }
        return active.count < limits.mostShared
    }

    /// True if no further transfer may be begun, wherever it is from.
    var isFull: Bool {
        let (most, overflow) = limits.total.addingReportingOverflow(limits.mostShared)
        guard underWayCount - load.spared < limits.total + limits.trials else { return true }
        return counting - load.spared >= limits.total || counting >= (overflow ? .max : most)
    }

    /// Returns the number of a host's transfers that don't count towards the limit on all, since others have the
    /// connection already.
    func spared(at host: Int32) -> Int {
        guard let streams = hosts.streams(at: host), streams.isWide(in: bounds(at: host)) else { return 0 }
        return max(0, (hosts.all[host]?.active ?? 0) - 1)
    }

    /// Changes something of a host, and what counts differently because of that.
    mutating func change(_ host: Int32, _ body: (inout TransferQueue) -> Void) {
        let before = load(of: host)
        body(&self)
        load = load + (load(of: host) - before)
        guard let at = hosts.all[host]?.returns.silentAt(patience) else { return }
        silentAt = silentAt.map { min($0, at) } ?? at
    }

    /// Counts the transfers anew that don't count as others do, after a change of the limits.
    mutating func recount() {
        load = Set(active.values.map(\.host)).reduce(HostLoad()) { $0 + load(of: $1) }
    }
}
