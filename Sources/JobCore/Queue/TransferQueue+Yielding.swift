/// How what nobody looks at leaves a host to a file in view that comes from there.
///
/// Otherwise each permit that is free once the last of the files in view have theirs would go to something
/// that takes its share of the line from them.
extension TransferQueue {
    /// How long a transfer in view has its host to itself, in seconds: a large file, or a slow server, holds
    /// nobody up for longer.
    public static let longestYield = 10.0

    /// When jobs may be begun that yield; nil if none do.
    public func yieldsUntil(now: Moment) -> Moment? {
        yielding.compactMap { yieldEnd($0, now: now) }.min()
    }

    /// Until when the jobs of a host yield; nil if they don't.
    func yieldEnd(_ host: Int32, now: Moment?) -> Moment? {
        guard let now, let end = latestYieldEnd(host), end > now else { return nil }
        return end
    }

    /// Ends what has lasted long enough, or has no reason any more.
    mutating func endYields(now: Moment?) {
        for host in yielding where yieldEnd(host, now: now) == nil { stopYielding(host) }
    }

    private func latestYieldEnd(_ host: Int32) -> Moment? {
        guard !interests.isEmpty else { return nil }
        var latest: Moment?
        for (job, permit) in active where permit.host == host && interests[job] == .visible {
            guard let end = permit.since?.adding(seconds: Self.longestYield) else { continue }
            latest = latest.map { max($0, end) } ?? end
        }
        return latest
    }
}
