import JobCore

/// The connections to one host over which many requests go at once (HTTP/2), each with those that come in its place.
///
/// Requests go over the first one that has room for them. Where all are full, one request makes a further one, and those
/// for which none can be made do with those that there are: libcurl (7.88) would have each of them make its own. How
/// many there are at once is decided elsewhere (`HostStreams`). Explicitly not Sendable: it lives on the transfer thread.
final class ConnectionLanes {
    /// The limits on a host's connections.
    struct Limits {
        /// The most connections.
        var connections: Int
        /// The most requests at once over one of them.
        var streams: Int

        /// True where no more requests are begun than there is room for, and one for each connection to be made; else as
        /// many are made at a time as the requests need.
        var opensAtOnce = true

        /// The most of them that are used for requests which share them.
        var spread = Int.max

        /// The most lanes: one connection is left for what comes in another one's place.
        var lanes: Int { min(max(1, connections - 1), ConnectionNames.count / 2, max(1, spread)) }
    }

    /// The requests after which another connection is tried, where one couldn't be made.
    static let pause = 256

    private let names = ConnectionNames()
    /// The requests until further connections are tried.
    private var pause = 0
    private(set) var lanes: [ConnectionRelay]

    init() {
        // The first connection has been made before anything was known of the host.
        lanes = [ConnectionRelay(names: names)]
    }

    /// Returns the leg of a request that is about to be sent; one `apart` from others has a connection to itself where
    /// there may be so many.
    func join(apart: Bool = false, in limits: Limits) -> ConnectionRelay.Leg {
        if pause > 0 { pause -= 1 }
        if lanes.contains(where: { $0.takeRefusal() }) { pause = Self.pause }
        let busy = lanes.reduce(0) { $0 + ($1.underWay > 0 ? 1 : 0) + ($1.isOpening ? 1 : 0) }
        let mayOpen = limits.connections > 1 && busy < limits.connections
        return lane(for: apart ? 1 : max(1, limits.streams), mayOpen: mayOpen, in: limits).join(
            mayOpen: mayOpen
        )
    }

    /// Returns the leg of a request that has got its answer over the first connection, which was made before anything was
    /// known of the host; nil if that one has been left meanwhile.
    func adopt() -> ConnectionRelay.Leg? { lanes[0].number == 0 ? lanes[0].join(mayOpen: false) : nil }

    private func lane(for most: Int, mayOpen: Bool, in limits: Limits) -> ConnectionRelay {
        let usable = lanes.prefix(limits.lanes)
        let there = usable.filter(\.isThere)
        if let free = there.first(where: { $0.underWay < most }) { return free }
        let underWay = lanes.reduce(0) { $0 + $1.underWay + ($1.isOpening ? 1 : 0) }
        let coming = lanes.count { !$0.isThere && $0.isOpening }
        let isNeeded = limits.opensAtOnce || underWay >= (there.count + coming) * most
        if mayOpen, pause == 0, isNeeded {
            if let absent = usable.first(where: { !$0.isThere && !$0.isOpening }) { return absent }
            if lanes.count < limits.lanes {
                lanes.append(ConnectionRelay(names: names, isFurther: true, beside: lanes.count))
                return lanes[lanes.count - 1]
            }
        }
        return there.min { $0.underWay < $1.underWay } ?? lanes[0]
    }
}

/// The names by which the connections to one host are told apart, small numbers.
///
/// Explicitly not Sendable: it lives on the transfer thread.
final class ConnectionNames {
    /// One for each connection, and one for the next in its place.
    static let count = 2 * HostStreams.Bounds.mostShared

    /// The names that aren't in use, those first that have been for longest.
    private var free = Array(0..<ConnectionNames.count)

    /// Takes the name that has been left for longest.
    func take() -> Int { free.isEmpty ? 0 : free.removeFirst() }

    /// Notes that a name is no longer in use.
    func leave(_ name: Int) { if !free.contains(name) { free.append(name) } }
}
