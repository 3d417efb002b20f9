import JobModel

/// Yielding of a host from transfers to others that come from there.
///
/// What nobody looks at yields to a file in view, and a flow that has had more yields to one that has had
/// less and has all its jobs at that host under way. Otherwise each permit that becomes free would go to
/// something that takes its share of the line from them. A file that waits by a rate of its own has no more of the line
/// for that.
extension TransferQueue {
    /// The longest time for which a transfer has its host to itself, in seconds: a large file, or a slow
    /// server, holds nobody up for longer.
    public static let longestYield = 10.0
    /// The lead over another flow from which on a flow yields, in bytes: flows that take turns are ahead of
    /// each other by a few small files.
    static let allowedLead = 262_144.0

    /// Returns the moment at which yielding jobs may be begun; nil if none yield.
    public func yieldsUntil(now: Moment) -> Moment? {
        yielding.flatMap { host, flows in flows.compactMap { yieldEnd(host, of: $0, now: now) } }.min()
    }

    /// Until when what nobody looks at in a flow yields at a host; nil if it doesn't.
    func yieldEnd(_ host: Int32, of flow: UInt32, now: Moment?) -> Moment? {
        guard let now, let end = latestYieldEnd(host, of: flow), end > now else { return nil }
        return end
    }

    /// Ends what has lasted long enough, or has no reason any more.
    mutating func endYields(now: Moment?) {
        for (host, flows) in yielding
        where flows.contains(where: { yieldEnd(host, of: $0, now: now) == nil }) {
            stopYielding(host)
        }
    }

    private func latestYieldEnd(_ host: Int32, of flow: UInt32) -> Moment? {
        guard !interests.isEmpty || flows.count > 1 else { return nil }
        var latest: Moment?
        for (job, permit) in active where permit.host == host {
            guard !permit.hasOwnRate,
                interests[job] == .visible || flows.lead(of: flow, before: permit.flow) > Self.allowedLead,
                let end = permit.since?.adding(seconds: Self.longestYield)
            else { continue }
            latest = latest.map { max($0, end) } ?? end
        }
        return latest
    }
}
