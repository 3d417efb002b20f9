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
    }

    /// The requests that a connection is taken to carry until something else is learnt.
    static let usualCount = 1000
    /// The fewest requests on a connection after which another one shows that it has been sent away, rather than that
    /// it was full.
    static let leastCount = 256

    /// The number of the connection that requests go over.
    private(set) var number = 0
    /// The requests that have been sent over it.
    private(set) var sent = 0
    /// The requests that it is taken to carry.
    private(set) var limit = usualCount
    /// The requests under way over it.
    private(set) var underWay = 0
    /// True while a request makes the next connection.
    private(set) var isOpening = false

    /// True if no connections but the current one have anything to do.
    var hasLeftOthers: Bool { number > 0 && underWay > 0 }

    /// Returns the leg of a request that is about to be sent: the next one where it is time for that.
    func join(mayOpen: Bool) -> Leg {
        // What is sent while the next connection is being made goes over this one, too.
        let reserve = min(max(64, 4 * underWay), limit / 2)
        if mayOpen, !isOpening, sent >= limit - reserve {
            isOpening = true
            return Leg(relay: self, number: number + 1)
        }
        sent += 1
        underWay += 1
        return Leg(relay: self, number: number)
    }

    /// Returns whether a leg is to make the next connection.
    func opens(_ leg: Leg) -> Bool { isOpening && leg.number == number + 1 }

    /// Notes that a request has got its connection.
    func reached(_ leg: Leg) {
        guard opens(leg) else { return }
        number += 1
        (sent, underWay, isOpening) = (1, 1, false)
    }

    /// Notes the end of a request.
    func leave(_ leg: Leg) {
        if opens(leg) {
            // Whoever gets no further connection does with the one that there is.
            isOpening = false
            sent -= limit / 2
        } else if leg.number == number {
            underWay = max(0, underWay - 1)
        }
    }

    /// Leaves a connection that is of no more use, so that further requests make another one.
    func abandon(_ number: Int?) {
        guard number == self.number else { return }
        // Whoever was about to make the next one goes on with that, and others follow at once.
        (self.number, sent, underWay) = (self.number + 1, isOpening ? 1 : 0, isOpening ? 1 : 0)
        isOpening = false
    }

    /// Notes that libcurl has made a connection although the leg had one; returns whether that was for want of room there.
    func connectedAgain(_ leg: Leg) -> Bool {
        guard leg.number == number else { return false }
        let isInUse = underWay > 1
        let wasSentAway = isInUse && sent >= Self.leastCount
        if wasSentAway { limit = min(limit, sent) }
        if wasSentAway || !isInUse { sent = underWay }
        return isInUse && !wasSentAway
    }
}
