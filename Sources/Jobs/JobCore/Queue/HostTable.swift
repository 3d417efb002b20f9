import JobModel
import Vocabulary

/// The hosts of jobs that wait for permits or have them, by numbers, which take less room than names.
struct HostTable: Sendable {
    /// A host that has jobs.
    struct Host: Sendable {
        var name: String
        var active = 0
        /// The number of jobs that wait for a permit.
        var queued = 0
        var aside = AttendedHeap<TransferEntry>()
        /// True if it is this machine itself.
        var isLoopback: Bool
        /// The moment for which it is to be woken, because jobs stepped aside until then.
        var wakesAt: Moment?
        /// The moment of the last end of a transfer, and the usual seconds from one to the next where that isn't long.
        var endedAt: Moment?
        var interval: Double?
        /// What it has brought lately.
        var returns = HostReturns()
        /// True if it couldn't be tried, since too many are silent at once.
        var isUntriable = false

        /// Notes that one more request is begun.
        mutating func begin(now: Moment) { returns.begin(beside: active, now: now) }
    }

    /// The hosts by number.
    ///
    /// It is changed in place, since a host's heap is large.
    var all: [Int32: Host] = [:]
    private var numbers: [String: Int32] = [:]
    /// Numbers of hosts that were forgotten, which are used again.
    private var unused: [Int32] = []

    /// The limits of all hosts.
    private(set) var rules = HostRules()
    /// The limits of hosts with jobs here where they aren't those of most hosts, and the clocks that say anything: with
    /// a million hosts, few have either.
    private var ownLimits: [Int32: HostLimits] = [:]
    private var clocks: [Int32: HostClock] = [:]
    /// The clocks of hosts without jobs, as long as they say anything.
    private(set) var resting: [String: HostClock] = [:]
    /// The number of such clocks from which on those that no longer say anything are looked for.
    private var restingLimit = leastRestingLimit
    private static let leastRestingLimit = 1024
    /// The widths of hosts that answer many requests over one connection: of those with jobs here, and of others.
    private var streams: [Int32: HostStreams] = [:]
    private(set) var restingStreams: [String: HostStreams] = [:]
    /// The most hosts without jobs whose width is remembered.
    static let mostRestingStreams = 1024
    /// What hosts have brought whose only job has given way, and comes back: as new hosts they would be tried again.
    private var returning: [String: HostReturns] = [:]
    /// The names of the hosts that ask to wait, in order: those with jobs here, and others until they may be asked.
    private(set) var held: [String] = []
    /// The moments at which hosts without jobs may be asked again.
    private var ends = PriorityHeap<HoldEnd>()

    /// The end of the hold of a host without jobs.
    private struct HoldEnd: Comparable {
        var at: Moment
        var host: String

        static func < (lhs: HoldEnd, rhs: HoldEnd) -> Bool { (lhs.at, lhs.host) < (rhs.at, rhs.host) }
    }

    /// Returns the number of a host that has jobs here; nil for any other.
    func known(_ host: String) -> Int32? { numbers[host] }

    /// Changes the limits of all hosts.
    mutating func setRules(_ rules: HostRules) {
        guard rules != self.rules else { return }
        self.rules = rules
        ownLimits = [:]
        for (number, host) in all { noteLimits(of: number, limits(of: host.name)) }
        for number in Array(clocks.keys) {
            let pace = limits(at: number).pace
            clocks[number]?.setPace(pace)
        }
        for name in Array(resting.keys) {
            let pace = limits(of: name).pace
            resting[name]?.setPace(pace)
        }
    }

    /// Changes the clock of a host, with jobs here or not.
    mutating func withClock<Result>(of host: String, _ body: (inout HostClock) -> Result) -> Result {
        let result: Result
        let isHeld: Bool
        if let number = numbers[host] {
            result = withClock(at: number, body)
            isHeld = clock(at: number).patience.isHeld
        } else {
            var clock = resting[host] ?? HostClock(pace: limits(of: host).pace)
            let before = clock.patience.heldUntil
            result = body(&clock)
            isHeld = clock.patience.isHeld
            resting[host] = clock.isUnused ? nil : clock
            if clock.patience.heldUntil != before { awaitEnd(clock, of: host) }
        }
        setHeld(isHeld, host)
        return result
    }

    /// Changes the clock of a host with jobs here, other than by beginning a hold or ending one.
    mutating func withClock<Result>(at number: Int32, _ body: (inout HostClock) -> Result) -> Result {
        var clock = clock(at: number)
        let result = body(&clock)
        clocks[number] = clock.isUnused ? nil : clock
        return result
    }

    /// The next moment at which a host without jobs may be asked again; nil if none asks to wait.
    var endsAt: Moment? { ends.first?.at }

    /// Notes that hosts without jobs may be asked again, about which nothing is to be told any more.
    mutating func endHolds(now: Moment) {
        while let end = ends.first, end.at <= now {
            _ = ends.popFirst()
            guard numbers[end.host] == nil else { continue }
            if let until = resting[end.host]?.patience.heldUntil, until > now { continue }
            setHeld(false, end.host)
        }
    }

    private mutating func awaitEnd(_ clock: HostClock, of host: String) {
        if let until = clock.patience.heldUntil { ends.insert(HoldEnd(at: until, host: host)) }
    }

    private mutating func setHeld(_ isHeld: Bool, _ host: String) {
        if !isHeld, held.isEmpty { return }
        var (low, high) = (0, held.count)
        while low < high {
            let middle = (low + high) / 2
            if held[middle] < host { low = middle + 1 } else { high = middle }
        }
        let isThere = low < held.count && held[low] == host
        if isHeld, !isThere { held.insert(host, at: low) }
        if !isHeld, isThere { held.remove(at: low) }
    }

    /// Returns the clock of a host, with jobs here or not; nil if there is nothing to say.
    func clock(of host: String) -> HostClock? {
        numbers[host].map { clock(at: $0) } ?? resting[host]
    }

    /// Returns the times at which requests may be begun at a host with jobs here.
    func clock(at number: Int32) -> HostClock { clocks[number] ?? HostClock(pace: limits(at: number).pace) }

    /// Returns the limits that the settings have for a host with jobs here.
    func limits(at number: Int32) -> HostLimits { ownLimits[number] ?? rules.standard }

    /// Returns the width of a host with jobs here; nil where it isn't known to share connections.
    func streams(at number: Int32) -> HostStreams? { streams.isEmpty ? nil : streams[number] }

    /// Changes the width of a host with jobs here.
    mutating func withStreams(at number: Int32, _ body: (inout HostStreams) -> Void) {
        var known = streams[number] ?? HostStreams()
        body(&known)
        streams[number] = known.width == nil ? nil : known
    }

    /// Forgets the clocks of hosts without jobs that no longer say anything, once there are many.
    mutating func prune(now: Moment) {
        guard resting.count > restingLimit else { return }
        resting = resting.filter { !$0.value.isForgettable(now: now) }
        restingLimit = max(Self.leastRestingLimit, resting.count * 2)
    }

    private func limits(of host: String) -> HostLimits { rules.limits(of: Self.name(of: host)) }

    private mutating func noteLimits(of number: Int32, _ limits: HostLimits) {
        if limits != rules.standard { ownLimits[number] = limits }
    }

    /// Returns the name of a host, or its address, without the port.
    static func name(of host: String) -> String { JobURL.name(ofHostKey: host) }

    /// Returns the number of a host, which gets one if it has none.
    mutating func number(of host: String) -> Int32 {
        if let number = numbers[host] { return number }
        let number = unused.popLast() ?? Int32(clamping: all.count)
        all[number] = Host(name: host, isLoopback: JobURL.isLoopback(host: Self.name(of: host)))
        numbers[host] = number
        noteLimits(of: number, limits(of: host))
        if let clock = resting.removeValue(forKey: host) {
            clocks[number] = clock
            if clock.patience.isHeld { setHeld(true, host) }
        }
        if !restingStreams.isEmpty { streams[number] = restingStreams.removeValue(forKey: host) }
        if let returns = returning.removeValue(forKey: host) { all[number]?.returns = returns }
        return number
    }

    /// Forgets a host that no longer has any jobs, and returns the number of entries in its heap, which are stale;
    /// nil for any other host.
    ///
    /// `isAwaited` says that its last one comes back at once.
    mutating func forgetIfUnused(_ number: Int32, isAwaited: Bool) -> Int? {
        guard let host = all[number], host.active == 0, host.queued == 0 else { return nil }
        all[number] = nil
        numbers[host.name] = nil
        ownLimits[number] = nil
        if let clock = clocks.removeValue(forKey: number) {
            resting[host.name] = clock
            awaitEnd(clock, of: host.name)
        }
        if let known = streams.removeValue(forKey: number) {
            // Whichever was forgotten is learnt again with its next answers.
            if restingStreams.count >= Self.mostRestingStreams { restingStreams = [:] }
            restingStreams[host.name] = known
        }
        if isAwaited {
            // Some never come back, such as those that are cancelled meanwhile.
            if returning.count >= Self.mostRestingStreams { returning = [:] }
            returning[host.name] = host.returns
        }
        // Without hosts, numbers start from 0 again and the list of free ones isn't needed.
        if all.isEmpty { (unused, returning) = ([], [:]) } else { unused.append(number) }
        return host.aside.count
    }
}
