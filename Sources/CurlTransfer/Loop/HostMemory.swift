import JobCore

/// Memory of what hosts, named by ``JobURL/hostKey``, have asked for and what they bear; the time in milliseconds is
/// passed in.
struct HostMemory {
    /// The time until which each host has asked everybody to wait.
    private var waits: [String: Int64] = [:]

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

    /// Returns the seconds for which a host has still to be left alone; nil for none.
    func wait(of host: String, now: Int64) -> Double? {
        guard let until = waits[host], until > now else { return nil }
        return Double(until - now) / 1000
    }
}
