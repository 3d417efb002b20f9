/// The connections over which many requests each go to one host (HTTP/2), one after the other.
///
/// Servers send a connection away after a number of requests (GOAWAY; nginx after 1,000). libcurl (7.88) then makes one
/// more for each request that is under way, and may wait for answers that it has got. So the next connection is made
/// before, by one request, while all others go over the one that there is.
///
/// Explicitly not Sendable: it lives on the transfer thread.
final class ConnectionRelay {
    /// The place of a request in the relay.
    struct Leg {
        let relay: ConnectionRelay
        let number: Int
        /// The name of the connection among those to the host, a small number.
        let identity: Int
        /// True while others may still be under way over a connection before this one.
        let hasLeftOthers: Bool
        /// True if the connection is new, so that it has still to get up to speed.
        let isEarly: Bool
    }

    /// The requests that a connection is taken to carry until something else is learnt.
    static let usualCount = 1000
    /// The fewest requests on a connection after which another one shows that it has been sent away, rather than that
    /// it was full.
    static let leastCount = 256
    /// The requests that a connection carries while it gets up to speed.
    static let earlyCount = 32
    /// The requests by which the first of several connections are left one earlier than the other, since only one can
    /// be made at a time: as many as go over one while another is made, in three round trips.
    static let stagger = 96

    /// The number of the connection that requests go over.
    private(set) var number = 0
    /// True once its first connection has been made.
    private(set) var isThere: Bool
    /// True if its first connection was to be made, and couldn't be.
    private var isRefused = false
    /// The requests that have been sent over it.
    private(set) var sent = 0
    /// The requests that it is taken to carry.
    private(set) var limit = usualCount
    /// The requests under way over it.
    private(set) var underWay = 0
    private let names: ConnectionNames
    /// True if its first connection is made beside others.
    private let isFurther: Bool
    /// The name of the connection.
    private var identity: Int
    /// The name of the next connection, while a request makes it.
    private var next: Int?
    /// The requests by which the first connection is left earlier than need be.
    private var headStart: Int
    /// True if nobody knows whether the connection is there, since nothing has been sent over it yet or of late.
    private var mayBeMissing = true

    /// True while a request makes the next connection.
    var isOpening: Bool { next != nil }
    /// True if no connections but the current one have anything to do.
    var hasLeftOthers: Bool { number > 0 && underWay > 0 }

    /// Creates a relay whose connections get their names from those of the host; a further one's first connection has
    /// still to be made, beside so many others.
    init(names: ConnectionNames, isFurther: Bool = false, beside others: Int = 0) {
        (self.names, self.isFurther) = (names, isFurther)
        headStart = Self.stagger * others
        identity = names.take()
        isThere = !isFurther
    }

    /// Returns the leg of a request that is about to be sent: the next connection's first one where it is time for that.
    func join(mayOpen: Bool) -> Leg {
        // What is sent while the next connection is being made goes over this one, too; and before that, what is sent
        // while another one's next is.
        let reserve = min(max(64, 7 * underWay), limit / 2)
        let last = max(limit / 4, limit - reserve - headStart)
        if mayOpen, !isOpening, !isThere || sent >= last {
            let name = isThere ? names.take() : identity
            next = name
            return leg(number + 1, name)
        }
        if underWay == 0 { mayBeMissing = true }
        sent += 1
        underWay += 1
        return leg(number, identity)
    }

    private func leg(_ number: Int, _ identity: Int) -> Leg {
        let isNew = isFurther || number > 0
        let isEarly = isNew && (number > self.number || sent <= Self.earlyCount)
        return Leg(
            relay: self,
            number: number,
            identity: identity,
            hasLeftOthers: hasLeftOthers,
            isEarly: isEarly
        )
    }

    /// Returns whether a leg is to make the next connection.
    func opens(_ leg: Leg) -> Bool { isOpening && leg.number == number + 1 }

    /// Notes that a request has got its connection.
    func reached(_ leg: Leg) {
        guard opens(leg) else { return }
        goOver(to: leg.identity)
        (sent, underWay, mayBeMissing) = (1, 1, false)
    }

    /// Returns whether its first connection couldn't be made, once for each time that it was tried.
    func takeRefusal() -> Bool {
        defer { isRefused = false }
        return isRefused
    }

    /// Notes the end of a request.
    func leave(_ leg: Leg) {
        if opens(leg) {
            // Whoever gets no further connection does with the one that there is.
            if isThere { next.map(names.leave) } else { isRefused = true }
            next = nil
            sent = max(0, sent - limit / 2)
        } else if leg.number == number {
            underWay = max(0, underWay - 1)
        }
    }

    /// Leaves a connection that is of no more use, so that further requests make another one.
    func abandon(_ number: Int?) {
        guard number == self.number else { return }
        // Whoever was about to make the next one goes on with that, and others follow at once.
        let opener = isOpening ? 1 : 0
        goOver(to: next ?? names.take())
        (sent, underWay, mayBeMissing) = (opener, opener, true)
    }

    private func goOver(to name: Int) {
        if isThere {
            names.leave(identity)
            headStart = 0
        }
        (number, identity, next, isThere) = (number + 1, name, nil, true)
    }

    /// Notes that libcurl has made a connection although the leg had one; returns whether that was for want of room there.
    func connectedAgain(_ leg: Leg) -> Bool {
        guard leg.number == number else { return false }
        let isInUse = underWay > 1
        let wasSentAway = isInUse && sent >= Self.leastCount
        if wasSentAway { limit = min(limit, sent) }
        let wasMissing = mayBeMissing || !isInUse
        mayBeMissing = false
        if wasSentAway || wasMissing { sent = underWay }
        return !wasMissing && !wasSentAway
    }
}
