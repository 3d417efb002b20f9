import CCurl
import Glibc
import JobModel

/// Connections that bring more than was asked for, and so may answer one request with what an earlier one has left.
///
/// Programs behind servers write a few bytes more than they announce, or a whole second answer. libcurl (7.88) goes on over
/// a connection with such bytes on it; later versions look whether there are any. HTTP/1.1 can't tell an answer from a
/// stray one (RFC 9112, section 9.3), so what can be known is looked at: bytes that were there before the request went out,
/// an answer that came sooner than anything can come back, and an answer that makes no sense.
extension TransferLoop {
    /// Notes the connection that a request is about to go out on; returns whether nothing has come over it that nobody has
    /// asked for.
    func isClean(_ slot: TransferSlot) -> Bool {
        slot.sending.began = Self.microseconds()
        guard let ends = slot.connection else { return true }
        guard slot.openedSockets.isEmpty else {
            sockets.note(ends, among: slot.openedSockets)
            return true
        }
        guard !hosts.shares(slot.trail.hostKey), let sight = sockets.look(at: ends)?.sight else {
            return true
        }
        slot.sending.shortestRoundTrip = Int64(sight.shortest_round_trip)
        // What many requests share brings something at any time, also before it is known to be shared. Over http, another
        // one on it has just ended, in the same call of libcurl.
        guard sight.unread > 0, mates(of: slot).isEmpty else { return true }
        slot.answer.isTooLate = sight.is_closed != 0
        return false
    }

    /// Returns whether the answer that begins can be that to the request, rather than one that was on its way before.
    func isTimely(_ slot: TransferSlot) -> Bool {
        guard isReused(slot), let ends = slot.connection else { return true }
        // libcurl's own time of sending is taken after it, when the answer may be there already.
        let time = Self.microseconds() - slot.sending.began
        // It may have come sooner than any before; only the kernel knows.
        guard time < slot.sending.shortestRoundTrip, let sight = sockets.look(at: ends)?.sight else {
            return true
        }
        return time >= Int64(sight.shortest_round_trip)
    }

    /// Returns whether a request has to be sent again since its connection had, or may have had, something else on it.
    func mustAskAnew(_ slot: TransferSlot, _ result: CURLcode) -> Bool {
        if slot.answer.isCrossed { return true }
        guard isReused(slot), !slot.sending.needsNewConnection else { return false }
        if slot.answer.isMisled { return true }
        switch result {
        // What isn't HTTP, or isn't any that libcurl can read.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return !slot.hasAnswer
        default: return false
        }
    }

    /// Sends a request again over a new connection, as all others to its host are from now on, unless it was just a word
    /// of farewell that had come.
    func askAnew(_ slot: TransferSlot) {
        let host = slot.trail.hostKey
        if slot.answer.isCrossed { hosts.noteSharing(false, by: host) }
        if !slot.answer.isTooLate {
            logger.debug("a host's connections can't be used again", metadata: ["host": "\(host)"])
            hosts.trust(in: host) { $0.misled(now: now) }
        }
        slot.sending.needsNewConnection = true
        noteRequest(slot)
        send(slot)
    }

    /// Returns the use that a request to a host may make of connections.
    func useOfConnections(to host: String) -> ConnectionUse {
        guard !hosts.shares(host) || hosts.trust(in: host, \.isMisled) else { return .any }
        return hosts.trust(in: host) { $0.use(now: now, hasUnread: \.hasUnread) }
    }

    /// Notes that an answer has come to its end, so that its connection may be used again.
    func noteEnd(_ slot: TransferSlot) {
        let host = slot.trail.hostKey
        guard slot.hasAnswer, let ends = slot.connection, !hosts.shares(host),
            hosts.trust(in: host, \.isOpen)
        else { return }
        let isSecure = slot.trail.current.scheme == "https"
        // One that isn't known, or is closed already, can't be watched: libcurl closes it where it has read too much.
        let connection = sockets.look(at: ends).flatMap {
            WatchedConnection($0.socket, isSecure: isSecure, watchedConnections, under: ceiling)
        }
        hosts.trust(in: host) { $0.answered(connection, now: now) }
    }

    // MARK: - Two requests on a connection for one

    // Behind one name, some servers may speak HTTP/2 and others not. As soon as one connection to a host is shared, libcurl
    // before 8.5 takes all for shared (curl's pull request 12373), sends requests over one of HTTP/1.1 that is in use, and
    // gives bytes of one body to the other.

    /// Returns whether no other request is on the connection that a request is about to go out on, or it can carry many.
    ///
    /// Before the first answer over it, nobody knows which; ``isAlone(_:)`` sees it then.
    func isFree(_ slot: TransferSlot) -> Bool {
        slot.answer.isCrossed = mates(of: slot).contains { $0.hasAnswer && !$0.isAnsweredByHTTP2 }
        return !slot.answer.isCrossed
    }

    /// Returns whether an answer that begins is the only one that its connection is to bring, or that can carry many.
    ///
    /// Otherwise it may be the answer to any of the requests on it, all of which have to be asked again.
    func isAlone(_ slot: TransferSlot) -> Bool {
        guard !slot.isAnsweredByHTTP2 else { return true }
        let mates = mates(of: slot)
        guard !mates.isEmpty else { return true }
        slot.answer.isCrossed = true
        for mate in mates { mate.answer.isCrossed = true }
        crossed += mates
        return false
    }

    /// Asks again what was sent over a connection along with what has failed for that.
    func askCrossedAnew() {
        let slots = crossed
        crossed = []
        for slot in slots where slot.isInLibcurl && slot.answer.isCrossed {
            takeBack(slot)
            finish(slot, CURLE_RECV_ERROR)
        }
    }

    /// Returns the other requests on the connection of one.
    private func mates(of slot: TransferSlot) -> [TransferSlot] {
        guard slot.trail.current.scheme == "https", let ends = slot.connection else { return [] }
        return slotsAtWork.filter { $0 !== slot && $0.connection == ends }
    }

    private static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// Returns whether a request went out on a connection that nothing else is sent over meanwhile, after others.
    private func isReused(_ slot: TransferSlot) -> Bool {
        slot.connection != nil && slot.openedSockets.isEmpty && !hosts.shares(slot.trail.hostKey)
    }
}
