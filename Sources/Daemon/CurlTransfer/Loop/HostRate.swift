/// The rate limit that all transfers from one host share.
///
/// Explicitly not Sendable: it lives on the transfer thread.
final class HostRate {
    /// What may be received; nil where the settings have taken the limit back.
    var bucket: RateBucket?
    /// The number of slots that have it.
    var users = 0

    init(rate: Int64, now: Int64) { bucket = RateBucket(rate: rate, now: now) }

    /// Sets another limit; nil for none.
    func limit(to rate: Int64?, now: Int64) {
        if bucket?.rate != rate { bucket = rate.map { RateBucket(rate: $0, now: now) } }
    }
}

/// The rate limits of hosts, by name.
struct HostRates {
    private var rates: [String: HostRate] = [:]

    /// The most limits that are kept although nobody has them.
    private static let limit = 64

    /// Returns the limit of a host.
    mutating func rate(of host: String, _ rate: Int64, now: Int64) -> HostRate {
        if let known = rates[host] { return known }
        if rates.count > Self.limit { rates = rates.filter { $0.value.users > 0 } }
        let new = HostRate(rate: rate, now: now)
        rates[host] = new
        return new
    }

    /// Takes over new settings.
    func limit(by rate: (String) -> Int64?, now: Int64) {
        for (host, known) in rates { known.limit(to: rate(host), now: now) }
    }

    /// Fills all buckets up to the current time.
    func fill(now: Int64) {
        for rate in rates.values { rate.bucket?.fill(now: now) }
    }
}
