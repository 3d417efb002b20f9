import JobCore

/// Memory of what hosts, named by ``JobURL/hostKey``, have asked for and what they bear; the time in milliseconds is
/// passed in.
struct HostMemory {
    /// The time until which each host has asked everybody to wait.
    private var waits: [String: Int64] = [:]
    /// The number of streams that each host has served at once where it didn't serve more, and when that was.
    private var served: [String: (count: Int, at: Int64)] = [:]

    /// The hosts that have answered over connections which many requests can share, and how often.
    private var sharing: [String: Int] = [:]
    /// The connections of hosts that share them.
    private var lanes: [String: ConnectionLanes] = [:]

    /// The trust in the connections of hosts that don't share them.
    private var trust: [String: ConnectionTrust<WatchedConnection>] = [:]

    /// The milliseconds after which a host is given another chance to serve more streams.
    static let servedMemory: Int64 = 3_600_000
    /// The milliseconds that a host is asked nothing more by redirects if it doesn't say how long.
    static let usualWait: Int64 = 30_000
    /// The most hosts in each of the tables.
    private static let mostHosts = 4096

    /// Notes that a host asks everybody to wait, for so many seconds if it says so.
    mutating func asksToWait(_ host: String, seconds: Double?, now: Int64) {
        let limited = seconds.map {
            min(max($0, HostPatience.askedWaits.lowerBound), HostPatience.askedWaits.upperBound)
        }
        if waits.count >= Self.mostHosts { waits = waits.filter { $0.value > now } }
        guard waits.count < Self.mostHosts else { return }
        waits[host] = now + (limited.map { Int64($0 * 1000) } ?? Self.usualWait)
    }

    /// Forgets that a host has asked everybody to wait.
    mutating func release(_ host: String) { waits[host] = nil }

    /// Returns the seconds for which a host has still to be left alone; nil for none.
    func wait(of host: String, now: Int64) -> Double? {
        guard let until = waits[host], until > now else { return nil }
        return Double(until - now) / 1000
    }

    /// Notes an answer of a host, and whether it came over a connection that many requests can share.
    mutating func noteSharing(_ isShared: Bool, by host: String) {
        guard isShared else {
            sharing[host] = nil
            lanes[host] = nil
            return
        }
        if sharing.count >= Self.mostHosts, sharing[host] == nil { (sharing, lanes) = ([:], [:]) }
        sharing[host, default: 0] += 1
    }

    /// Returns whether many requests can share a connection to a host, as far as is known.
    func shares(_ host: String) -> Bool { sharing[host] != nil }

    /// Returns the number of answers that came over shared connections of a host; nil for one without any.
    func answers(of host: String) -> Int? { sharing[host] }

    /// Returns the connections of a host that shares them.
    mutating func lanes(of host: String) -> ConnectionLanes {
        if let known = lanes[host] { return known }
        let new = ConnectionLanes()
        lanes[host] = new
        return new
    }

    /// Returns the number of connections that there are to a host.
    func connectionCount(of host: String) -> Int { lanes[host]?.lanes.count(where: \.isThere) ?? 1 }

    /// Notes how many streams a host has served at once while it left others without an answer.
    mutating func noteServed(_ count: Int, by host: String, now: Int64) {
        if served.count >= Self.mostHosts { served = served.filter { now - $0.value.at < Self.servedMemory } }
        guard served.count < Self.mostHosts else { return }
        served[host] = (max(1, count), now)
    }

    /// Changes the trust in the connections of a host, and returns what `change` does.
    mutating func trust<Result>(
        in host: String,
        _ change: (inout ConnectionTrust<WatchedConnection>) -> Result
    ) -> Result {
        if trust.count >= Self.mostHosts, trust[host] == nil { trust = [:] }
        return change(&trust[host, default: ConnectionTrust()])
    }

    /// Ends the watch over connections that have been watched for long enough.
    mutating func endWatches(now: Int64) {
        for (host, trust) in trust where trust.isOpen {
            var trust = trust
            _ = trust.use(now: now, hasUnread: \.hasUnread)
            self.trust[host] = trust
        }
    }

    /// Returns the most streams that a host is known to serve at once; nil if nothing speaks against any number.
    func mostStreams(from host: String, now: Int64) -> Int? {
        served[host].flatMap { now - $0.at < Self.servedMemory ? $0.count : nil }
    }
}
