/// Who takes places from others, by what has come from hosts.
struct PlacesOracle {
    /// The microseconds for which a host that brought something surely counts as one that does.
    private static let proven: Tick = 9_000_000
    /// Those without anything after which a host may count as silent.
    private static let silence: Tick = 2_900_000
    /// Those for which trials go on that were begun beside hosts that were silent then.
    private static let trial: Tick = 120_000_000
    /// The bytes of a file that are something.
    private static let leastBytes: Int64 = 1024

    /// The last time that something came from a host.
    private var brought: [String: Tick] = [:]
    /// The last sign of a host: that, an answer, or the beginning of a request with no other under way.
    private var signs: [String: Tick] = [:]
    /// The hosts that were silent, and have brought nothing since.
    private var quiet: Set<String> = []
    /// The numbers of transfers at silent hosts, as they were lately.
    private var silent: [(at: Tick, count: Int)] = []

    /// A server has answered.
    mutating func answers(_ host: String, at now: Tick) {
        signs[host] = now
        quiet.remove(host)
    }

    /// Something came for a transfer that has so many bytes, which had so many when something came last.
    mutating func brings(_ running: SimulatedTransfers.Running, at now: Tick) {
        guard running.length - running.marked >= Self.leastBytes else { return }
        running.marked = running.length
        let host = running.request.url.hostKey
        (brought[host], signs[host]) = (now, now)
        quiet.remove(host)
    }

    /// A request has ended, of which nothing came: how long that took for others is known to them.
    mutating func ends(_ running: SimulatedTransfers.Running) {
        if !running.hasAnswer { quiet.insert(running.request.url.hostKey) }
    }

    /// A request goes out beside others; returns what is wrong with that.
    ///
    /// Hosts with permits are given too: some requests go out only once that is written.
    mutating func ask(
        _ host: String,
        beside others: [SimulatedTransfers.Running],
        permits: [String],
        most total: Int,
        trials: Int,
        isChosen: Bool,
        at now: Tick
    ) -> String? {
        let hosts = others.map(\.request.url.hostKey)
        if !hosts.contains(host) { signs[host] = now }
        for host in Set(hosts) where now - (signs[host] ?? now) >= Self.silence { quiet.insert(host) }
        let brings = { [brought] (host: String) in brought[host].map { now - $0 < Self.proven } ?? false }
        let bringing = hosts.count(where: brings)
        silent = silent.filter { now - $0.at < Self.trial } + [(now, permits.filter(quiet.contains).count)]
        let tried = hosts.count { host in !quiet.contains(host) && !brings(host) }
        // Two for each silent host, and a third in place of one that has come to bring something until that is stopped.
        let most = total + min(trials, 3 * (silent.map(\.count).max() ?? 0))
        if isChosen, brings(host), bringing >= most {
            return "\(bringing + 1) transfers are under way at hosts that bring something, of \(most)"
        }
        // Where several were tried, more may bring something than there may be, until the last of them are stopped.
        let (counting, surplus) = (min(bringing, total), max(0, bringing - total))
        if isChosen, !quiet.contains(host), tried + counting >= most {
            return "\(tried + counting + 1) transfers are under way but for those at silent hosts, of \(most)"
        }
        guard others.count - surplus >= total + trials else { return nil }
        return "\(others.count + 1) transfers are under way, of \(total + trials)"
    }
}
