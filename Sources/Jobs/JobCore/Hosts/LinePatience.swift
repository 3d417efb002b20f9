import JobModel
import Vocabulary

/// The patience with the line to all hosts, be it the network or a proxy, while nothing gets through.
///
/// That is decided by what happens, since a router gives a route also when the provider is down. While nothing has got
/// through for a moment, a host that can't be reached says nothing about itself.
public struct LinePatience: Hashable, Sendable {
    /// The parts of the line that can be missing.
    public enum Part: Hashable, Sendable {
        case network
        case proxy
        /// What is asked reaches a portal.
        case portal
    }

    /// A time in which nothing gets through.
    public struct Outage: Hashable, Sendable {
        /// The part of the line that is missing.
        public let part: Part
        /// The sentence about the attempt that showed it.
        public let reason: String
        /// The moment from which on nothing got through.
        public let since: Moment
        /// The moment of the next probes.
        public fileprivate(set) var probesAt: Moment
        fileprivate var interval = LinePatience.intervals.lowerBound
        /// The moment of the last probes, or of the beginning.
        fileprivate var lastRound: Moment
        /// The hosts that have been tried.
        fileprivate var tried: Set<String>
        /// The hosts to which a probe may be sent now.
        fileprivate var probed: Set<String> = []
        /// The hosts to which nothing has got through.
        fileprivate var missed: Set<String>
        /// The hosts that are reached nevertheless, another way.
        fileprivate var reached: Set<String> = []
    }

    /// The seconds without a word from anywhere after which a host that can't be reached is blamed on the line.
    public static let quiet = 2.0
    /// The seconds between two rounds of probes: at first, and at most; each time twice as many.
    public static let intervals: ClosedRange<Double> = 30...300
    /// The most hosts that are probed in one round.
    public static let probes = 3
    /// The seconds for which a host that couldn't be reached counts as tried.
    static let memory = 60.0
    /// The most hosts that are kept in mind; others count as tried.
    static let mostHosts = 65_536

    /// The present outage; nil while anything gets through, as far as is known.
    public private(set) var outage: Outage?
    /// The last moment at which something came from anywhere.
    private var heardAt: Moment?
    /// The number of probes so far, and that of each host's last one.
    private var probeCount = 0
    private var lastProbe: [String: Int] = [:]
    /// The hosts that couldn't be reached, and when.
    private var unreached: [String: Moment] = [:]

    /// A line that works, as far as is known.
    public init() {}

    /// Notes that something came from a host; returns whether that ends an outage.
    public mutating func heard(now: Moment) -> Bool {
        heardAt = now
        if !unreached.isEmpty { unreached = [:] }
        guard outage != nil else { return false }
        end()
        return true
    }

    /// Ends an outage.
    public mutating func end() {
        outage = nil
        lastProbe = [:]
    }

    /// Returns whether something that came from a host shows that a partial outage is over: only if nothing got
    /// through to the same host before, and by a transfer that was begun in the outage.
    ///
    /// Connections that were there before may last, and other hosts may be reached another way.
    public func shows(_ host: String, isNew: Bool) -> Bool { isNew && outage?.missed.contains(host) ?? true }

    /// Notes that something came from a host in a partial outage that goes on; returns whether that is news.
    ///
    /// The news may also be that the outage is over, so that there are probes at once.
    public mutating func reach(_ host: String, now: Moment) -> Bool {
        guard let next = outage?.probesAt, let last = outage?.lastRound, !isOpen(to: host),
            outage?.missed.contains(host) == false, outage?.reached.count ?? 0 < Self.mostHosts
        else { return false }
        outage?.reached.insert(host)
        outage?.probesAt = min(next, max(now, last.adding(seconds: Self.quiet)))
        outage?.interval = Self.intervals.lowerBound
        return true
    }

    /// Returns whether requests to a host may be begun as ever.
    public func isOpen(to host: String) -> Bool { outage?.reached.contains(host) ?? true }

    /// Returns whether something has come from anywhere since a moment.
    public func hasHeard(since moment: Moment) -> Bool { heardAt.map { $0 >= moment } ?? false }

    /// Returns whether a host is the only one that couldn't be reached lately, whatever its port: one says nothing
    /// about the line.
    public func isAlone(_ host: String, now: Moment) -> Bool {
        let name = JobURL.name(ofHostKey: host)
        return unreached.allSatisfy { other, at in
            now.seconds(since: at) >= Self.memory || JobURL.name(ofHostKey: other) == name
        }
    }

    /// Notes that a host couldn't be reached.
    public mutating func missed(_ host: String, now: Moment) {
        if outage == nil {
            if unreached.count >= 1024 {
                unreached = unreached.filter { now.seconds(since: $0.value) < Self.memory }
            }
            if unreached.count < Self.mostHosts { unreached[host] = now }
        } else {
            outage?.tried.insert(host)
            outage?.missed.insert(host)
            outage?.reached.remove(host)
        }
    }

    /// Begins an outage, unless there is one; a portal's begins where nothing answered before.
    public mutating func begin(_ part: Part, reason: String, since: Moment, now: Moment) {
        guard outage == nil || part == .portal && outage?.part != .portal else { return }
        let tried = Set(unreached.filter { now.seconds(since: $0.value) < Self.memory }.map(\.key))
        unreached = [:]
        outage = Outage(
            part: part,
            reason: reason,
            since: since,
            probesAt: now.adding(seconds: Self.intervals.lowerBound),
            lastRound: now,
            tried: tried,
            missed: tried
        )
    }

    /// Returns whether a request to a host may be begun while so many are under way there: any if the line works, or
    /// the host is reached another way, one to a host that hasn't been tried, and a probe; and any to this machine
    /// itself, for which no network is needed.
    public func mayBegin(_ host: String, beside active: Int, isLoopback: Bool = false) -> Bool {
        guard let outage, !isLoopback || outage.part == .proxy else { return true }
        if outage.reached.contains(host) { return true }
        guard active == 0 else { return false }
        return outage.probed.contains(host)
            || outage.tried.count < Self.mostHosts && !outage.tried.contains(host)
    }

    /// Notes that a request to a host is begun.
    public mutating func began(_ host: String) {
        guard outage != nil else { return }
        outage?.tried.insert(host)
        outage?.probed.remove(host)
    }

    /// Begins a round of probes if it is time for one, and returns the hosts that are probed: of those given, for
    /// which there is something to fetch, the ones whose last probe is longest ago.
    public mutating func beginRound(_ hosts: [String], now: Moment) -> [String] {
        guard let due = outage?.probesAt, due <= now, let interval = outage?.interval else { return [] }
        // There may be very many, so they aren't all put in order.
        var first: [(probe: Int, host: String)] = []
        for host in hosts where !isOpen(to: host) {
            let probe = lastProbe[host] ?? 0
            if first.count == Self.probes, let last = first.last, (last.probe, last.host) < (probe, host) {
                continue
            }
            first.append((probe: probe, host: host))
            first.sort(by: <)
            if first.count > Self.probes { first.removeLast() }
        }
        let chosen = first.map(\.host)
        for host in chosen {
            probeCount += 1
            lastProbe[host] = probeCount
        }
        let next = min(interval * 2, Self.intervals.upperBound)
        outage?.probed = Set(chosen)
        outage?.lastRound = now
        // Where nothing waits, nothing has been tried either.
        outage?.interval = chosen.isEmpty ? interval : next
        outage?.probesAt = now.adding(seconds: chosen.isEmpty ? interval : next)
        return chosen
    }
}
