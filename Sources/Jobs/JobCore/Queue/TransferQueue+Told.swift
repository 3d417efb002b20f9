import JobModel
import Vocabulary

/// What is told of hosts.
extension TransferQueue {
    /// Returns how things stand with each host that has jobs here or asks to wait, in no particular order, since there
    /// may be very many.
    public func hostStatuses(now: Moment) -> [HostStatus] {
        let here = hosts.all.map { number, host in
            HostStatus(
                host: host.name,
                active: host.active - waitingAhead(at: number),
                queued: host.queued,
                waiting: wait(at: number, host, now: now),
                pace: hosts.limits(at: number).pace,
                streams: streams(at: number)
            )
        }
        let others = hosts.held.compactMap { name -> HostStatus? in
            guard hosts.known(name) == nil, let clock = hosts.resting[name] else { return nil }
            return HostStatus(
                host: name,
                active: 0,
                queued: 0,
                waiting: Self.wait(clock.patience),
                pace: clock.bucket?.pace
            )
        }
        return here + others
    }

    /// The hosts that ask to wait, up to so many of them, by name.
    public func heldHosts(atMost count: Int) -> [HostStatus] {
        hosts.held.prefix(count).compactMap { name in hosts.clock(of: name) == nil ? nil : hostStatus(name) }
    }

    /// Returns how things stand with a host; nil for one that has no jobs here, and of which nothing is known.
    ///
    /// Without a moment, only holds are told.
    public func hostStatus(_ name: String, now: Moment? = nil) -> HostStatus? {
        let host = hosts.known(name).flatMap { hosts.all[$0] }
        guard let clock = hosts.clock(of: name) ?? host.map({ _ in HostClock() }) else { return nil }
        return HostStatus(
            host: name,
            active: (host?.active ?? 0) - (hosts.known(name).map { waitingAhead(at: $0) } ?? 0),
            queued: host?.queued ?? 0,
            waiting: hosts.known(name).flatMap { wait(at: $0, host, now: now) } ?? Self.wait(clock.patience),
            pace: clock.bucket?.pace,
            streams: hosts.known(name).flatMap { streams(at: $0) }
        )
    }

    /// Returns the most requests at once over shared connections; nil where a host isn't known to have any.
    private func streams(at number: Int32) -> Int? {
        hosts.streams(at: number)?.width == nil ? nil : mostActive(at: number)
    }

    /// Returns why jobs of a host wait, also where it is asked by few at once since it has asked to wait.
    private func wait(at number: Int32, _ host: HostTable.Host?, now: Moment?) -> HostStatus.Waiting? {
        let clock = hosts.clock(at: number)
        guard let now, let host, host.queued > 0, !clock.patience.isHeld, let width = clock.patience.width
        else {
            return Self.wait(clock.patience)
        }
        let count = unsettled(at: number, host, now: now)
        guard !clock.patience.mayBegin(beside: count, now: now) else { return nil }
        let words =
            "it is asked by few at once (\(width)), since it has asked for a pause: \(clock.patience.reason)"
        return HostStatus.Waiting(reason: words, until: settlesAt(number, after: now))
    }

    private static func wait(_ patience: HostPatience) -> HostStatus.Waiting? {
        guard patience.isHeld else { return nil }
        return HostStatus.Waiting(kind: patience.cause, reason: patience.reason, until: patience.heldUntil)
    }
}
