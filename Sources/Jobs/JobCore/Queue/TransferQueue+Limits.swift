extension TransferQueue {
    /// The limits on the number of running transfers.
    public struct Limits: Hashable, Sendable {
        /// The most transfers at once.
        public var total: Int
        /// The most transfers at once to one host, unless they share connections.
        public var perHost: Int
        /// The most transfers at once that share one connection; with 1, none do as far as permits go.
        public var streams: Int

        /// The most transfers of one host that get permits while it is at its limit; each waits for another one's end.
        public var ahead: Int
        /// The most requests at once to hosts that bring nothing, or haven't yet, beside all other transfers; with 0, hosts
        /// are asked as much whatever they bring.
        public var trials: Int

        /// Creates limits, each raised to 1 if it is lower.
        public init(total: Int, perHost: Int, streams: Int = 1, ahead: Int = 0, trials: Int = 0) {
            self.trials = max(0, trials)
            self.ahead = max(0, ahead)
            self.total = max(1, total)
            self.perHost = max(1, perHost)
            self.streams = max(1, streams)
        }

        /// The most transfers at once beside which a host may have more than there may be connections; ``total`` more are
        /// left to others.
        ///
        /// It is three times the total, or as much more as one host may have, up to eleven times.
        public var mostShared: Int {
            let (times, overflow) = total.multipliedReportingOverflow(by: 11)
            let most = HostStreams.Bounds(connections: perHost, streams: streams).most
            return overflow ? .max - total : max(total * 3, min(most, times))
        }

        /// The most transfers that go ahead of others only because someone may soon look at them.
        var near: Int { total / 3 }
    }
}
