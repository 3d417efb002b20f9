/// Decides which connections a gallery keeps, where more come than there are places.
///
/// Anybody who reaches the port may connect and say nothing, or half of something. So nobody is turned away because
/// others hold the places: who is silent longest goes, first of those who have shown no session, and of these of
/// the network that holds the most. What counts as silent is a time without a finished answer, since a byte now
/// and then costs nothing.
struct ConnectionPlaces<ID: Hashable & Sendable>: Sendable {
    /// The decision about a new connection.
    enum Entry: Hashable, Sendable {
        /// It has a place; the other one, where there is one, has lost its own and is to be closed.
        case enters(insteadOf: ID?)
        /// It has none: all are taken by requests of those who have a session.
        case refused
    }

    private struct Place {
        var network: [UInt8]
        /// Since when nothing was answered on it.
        var since: ContinuousClock.Instant
        /// True if its last request has shown the session.
        var isKnown = false
        /// True if a request is being answered.
        var isBusy = false
    }

    private let total: Int
    private let perNetwork: Int
    private let patience: Duration
    private var places: [ID: Place] = [:]

    /// Creates places for so many connections, of which strangers of one network may hold a part.
    ///
    /// - Parameter patience: How long a stranger may be without a finished answer.
    init(total: Int = 256, perNetwork: Int = 64, patience: Duration = .seconds(60)) {
        self.total = total
        self.perNetwork = perNetwork
        self.patience = patience
    }

    /// The number of places that are taken.
    var count: Int { places.count }

    /// Admits a new connection, of which only the address is known.
    mutating func enter(_ id: ID, from network: [UInt8], now: ContinuousClock.Instant) -> Entry {
        var leaves: ID?
        let own = places.values.count { !$0.isKnown && $0.network == network }
        if own >= perNetwork {
            leaves = silentLongest { !$0.isKnown && $0.network == network }
        } else if places.count >= total {
            let largest = largestNetworks()
            leaves = silentLongest { !$0.isKnown && largest.contains($0.network) }
            leaves = leaves ?? silentLongest { !$0.isBusy }
            guard leaves != nil else { return .refused }
        }
        if let leaves { places[leaves] = nil }
        places[id] = Place(network: network, since: now)
        return .enters(insteadOf: leaves)
    }

    /// A whole request has come on a connection, with the session or without.
    mutating func begin(_ id: ID, isKnown: Bool) {
        places[id]?.isKnown = isKnown
        places[id]?.isBusy = true
    }

    /// A request has been answered.
    mutating func end(_ id: ID, now: ContinuousClock.Instant) {
        places[id]?.isBusy = false
        places[id]?.since = now
    }

    /// A connection has ended.
    mutating func leave(_ id: ID) { places[id] = nil }

    /// Frees the places of strangers who have been without a finished answer for too long; these are to be
    /// closed.
    mutating func takeOverdue(now: ContinuousClock.Instant) -> [ID] {
        let overdue = places.filter { !$0.value.isKnown && now - $0.value.since >= patience }.map(\.key)
        for id in overdue { places[id] = nil }
        return overdue
    }

    private func silentLongest(_ isMeant: (Place) -> Bool) -> ID? {
        var found: (id: ID, since: ContinuousClock.Instant)?
        for (id, place) in places where isMeant(place) {
            if let known = found, known.since <= place.since { continue }
            found = (id, place.since)
        }
        return found?.id
    }

    /// The networks whose strangers hold the most places.
    private func largestNetworks() -> Set<[UInt8]> {
        var held: [[UInt8]: Int] = [:]
        for place in places.values where !place.isKnown { held[place.network, default: 0] += 1 }
        let most = held.values.max()
        return Set(held.filter { $0.value == most }.keys)
    }
}
