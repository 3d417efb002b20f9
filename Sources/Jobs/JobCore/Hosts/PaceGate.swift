import JobModel
import Vocabulary

/// The gate that each request to a host with a pace passes, whatever it is for: a transfer's first one, the next after a
/// redirect, or one for a segment.
///
/// A request that would be too early waits in its host's line. No host waits for another.
public struct PaceGate<Request> {
    private struct Host {
        var bucket: PaceBucket
        var line: [Request] = []
        /// The turn of whoever is sent away next.
        var nextTurn: Moment?
    }

    private var hosts: [String: Host] = [:]
    /// The number of requests that wait, in all lines together.
    private var waiting = 0
    /// The number of hosts from which on those that say nothing any more are looked for.
    private var limit = leastLimit
    private static var leastLimit: Int { 256 }

    /// The longest time, in seconds, after which a request that was sent away has its turn.
    static var longestTurn: Double { HostPatience.askedWaits.upperBound }

    /// A gate that nothing has passed.
    public init() {}

    /// True if nothing waits.
    public var isEmpty: Bool { waiting == 0 }

    /// Lets a request pass and returns true, or puts it at the end of its host's line.
    public mutating func passes(_ request: Request, to name: String, pace: Pace?, now: Moment) -> Bool {
        guard let pace else {
            // What waits for a pace that the settings no longer have goes with the next look.
            if hosts[name]?.line.isEmpty ?? true { hosts[name] = nil }
            return true
        }
        if hosts.count >= limit { prune(now: now) }
        var host = hosts.removeValue(forKey: name) ?? Host(bucket: PaceBucket(pace))
        if host.bucket.pace != pace { (host.bucket, host.nextTurn) = (PaceBucket(pace), nil) }
        defer { hosts[name] = host }
        guard host.line.isEmpty, host.bucket.mayBegin(now: now) else {
            host.line.append(request)
            waiting += 1
            return false
        }
        host.bucket.spend(now: now)
        return true
    }

    /// Returns the seconds that another request to a host would wait.
    public func wait(at name: String, pace: Pace?, now: Moment) -> Double {
        guard let pace, let host = hosts[name], host.bucket.pace == pace else { return 0 }
        let first = host.bucket.opensAt(now: now)?.seconds(since: now) ?? 0
        return first + Double(host.line.count) * Double(pace.seconds) / Double(pace.requests)
    }

    /// Returns the seconds until the turn of a request that goes away for so long: after the line, and after all that
    /// were sent away before.
    public mutating func reserve(at name: String, pace: Pace?, now: Moment) -> Double {
        let line = wait(at: name, pace: pace, now: now)
        guard let pace, let host = hosts[name] else { return line }
        let turn = min(max(line, host.nextTurn?.seconds(since: now) ?? 0), Self.longestTurn)
        hosts[name]?.nextTurn = now.adding(seconds: turn + Double(pace.seconds) / Double(pace.requests))
        return turn
    }

    /// Returns whether a request to a host would pass at once.
    public func isOpen(at name: String, pace: Pace?, now: Moment) -> Bool {
        guard pace != nil, let host = hosts[name] else { return true }
        return host.line.isEmpty && host.bucket.mayBegin(now: now)
    }

    /// Removes and returns the requests whose turn it is, given the present pace of each host.
    public mutating func takeDue(now: Moment, pace: (_ host: String) -> Pace?) -> [Request] {
        var due: [Request] = []
        for name in hosts.filter({ !$0.value.line.isEmpty }).keys.sorted() {
            guard var host = hosts.removeValue(forKey: name) else { continue }
            guard let present = pace(name) else {
                due += host.line
                waiting -= host.line.count
                continue
            }
            if host.bucket.pace != present { (host.bucket, host.nextTurn) = (PaceBucket(present), nil) }
            var count = 0
            while count < host.line.count, host.bucket.mayBegin(now: now) {
                host.bucket.spend(now: now)
                count += 1
            }
            due += host.line.prefix(count)
            host.line.removeFirst(count)
            waiting -= count
            hosts[name] = host
        }
        return due
    }

    /// Returns whether such a request waits.
    public func contains(where isSought: (Request) -> Bool) -> Bool {
        hosts.values.contains { $0.line.contains(where: isSought) }
    }

    /// Calls `body` with each request that waits.
    public func forEachWaiting(_ body: (Request) -> Void) {
        for host in hosts.values { host.line.forEach(body) }
    }

    /// Removes requests that wait.
    public mutating func removeAll(where isRemoved: (Request) -> Bool) {
        for (name, host) in hosts where host.line.contains(where: isRemoved) {
            hosts[name]?.line.removeAll(where: isRemoved)
            waiting -= host.line.count - (hosts[name]?.line.count ?? 0)
        }
    }

    /// The moment at which the next request that waits may pass; nil if none waits.
    public func opensAt(now: Moment) -> Moment? {
        hosts.values.filter { !$0.line.isEmpty }.map { $0.bucket.opensAt(now: now) ?? now }.min()
    }

    private mutating func prune(now: Moment) {
        hosts = hosts.filter {
            !$0.value.line.isEmpty || !$0.value.bucket.isFull(now: now)
                || $0.value.nextTurn.map { $0 > now } ?? false
        }
        limit = max(Self.leastLimit, hosts.count * 2)
    }
}
