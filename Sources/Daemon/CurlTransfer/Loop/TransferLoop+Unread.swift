import CCurl
import Glibc
import JobModel

/// Connections that libcurl has stopped reading.
extension TransferLoop {
    /// Gives up connections with many requests that libcurl has stopped reading, and sends the requests again.
    func giveUpUnread() {
        var users: [ConnectionEnds: [TransferSlot]] = [:]
        for slot in slotsAtWork where hosts.shares(slot.trail.hostKey) {
            if let ends = slot.connection { users[ends, default: []].append(slot) }
        }
        var sights: [ConnectionEnds: ConnectionWatch.Sight] = [:]
        for (ends, slots) in users {
            guard let found = sockets.look(at: ends)?.sight else { continue }
            sights[ends] = ConnectionWatch.Sight(
                read: found.received - min(found.unread, found.received),
                delivered: slots.reduce(0) { $0 &+ $1.receivedCount },
                hasNews: found.unread > 0 || found.is_closed != 0,
                isPaused: slots.contains(where: \.isPaused)
            )
        }
        for ends in watch.look(at: sights) { giveUp(ends, users[ends] ?? []) }
    }

    private func giveUp(_ ends: ConnectionEnds, _ slots: [TransferSlot]) {
        logger.debug(
            "a connection is given up that libcurl has stopped reading",
            metadata: ["requests": "\(slots.count)", "place": "\(slots.first?.place ?? "")"]
        )
        // libcurl would otherwise keep it for further requests.
        if let socket = sockets.look(at: ends)?.socket { shutdown(socket, Int32(SHUT_RDWR)) }
        for slot in slots {
            takeBack(slot)
            slot.leg?.relay.abandon(slot.leg?.number)
        }
        // The end of one may be that of others, which then have no connection.
        for slot in slots where slot.connection != nil { askAgain(slot) }
    }

    /// Sends a request again whose connection was given up, or ends what has come of its answer for the next attempt.
    private func askAgain(_ slot: TransferSlot) {
        slot.leg = nil
        slot.forgetConnection()
        if slot.stream == nil, !slot.hasAnswer, slot.sending.resends < Self.mostResends {
            return resend(slot)
        }
        let failure = JobFailure(
            .connectionLost,
            "the connection to \(slot.place) was given up, since what came over it was not read"
        )
        let end = TransferEnd.hindered(failure, by: .leftUnread)
        if let stream = slot.stream { lose(slot, stream, end) } else { self.end(slot, end) }
    }
}

extension TransferSlot {
    /// The bytes of bodies that the current request has got.
    fileprivate var receivedCount: Int64 {
        var count: curl_off_t = 0
        _ = CCurl_easy_getinfo_offset(easy, CURLINFO_SIZE_DOWNLOAD_T, &count)
        return Int64(count)
    }
}
