import CCurl
import JobModel

/// Requests that share a connection (HTTP/2), and what is learnt from them of their host.
extension TransferLoop {
    /// The longest body, in bytes, that may share a connection with very many.
    static let longestShared: Int64 = 1 << 20
    /// The most times that a request is sent again at once that was lost with its connection.
    static let mostResends = 5
    /// The milliseconds for which a lost request waits for its host to answer others.
    static let longestLoss: Int64 = 250

    /// A request that was lost with its shared connections, while its host has answered nobody since it was sent.
    struct LostRequest {
        var slot: TransferSlot
        var result: CURLcode
        /// The time of the loss, in milliseconds of the monotonic clock.
        var lostAt: Int64
        /// True if libcurl has already sent it again, over other connections.
        var wasSentOften: Bool
    }

    /// Notes whether the host that a slot has an answer from shares connections, and how long it took.
    func noteAnswer(_ slot: TransferSlot) {
        let host = slot.trail.hostKey
        let isShared = slot.isAnsweredByHTTP2
        let wasShared = hosts.shares(host)
        if isShared || wasShared { hosts.noteSharing(isShared, by: host) }
        guard slot.trail.isAtHome, isShared else {
            if wasShared || !slot.trail.isAtHome { reports.append((slot.job, .shared(.alone))) }
            return
        }
        guard !slot.isApart else {
            // It takes one of the connections that there may be, as a large file does.
            reports.append((slot.job, .shared(.large)))
            return
        }
        let isConnected = wasShared && slot.information(CURLINFO_NUM_CONNECTS) > 0
        if case .interrupted = slot.answer.verdict {
            // An error of the server's is what some say instead of 429, nginx for one.
            reports.append((slot.job, .shared(.refused)))
        } else if !isConnected, slot.leg?.isEarly != true {
            slot.answer.time = now - slot.sending.time
        }
        // The first connection is not beside any other, nor is one that comes in another's place, or was asked for.
        guard isConnected, !slot.hasOpened, !slot.sending.needsNewConnection else { return }
        let isCrowded = slot.leg.map { $0.relay.connectedAgain($0) } ?? true
        if isCrowded { reports.append((slot.job, .shared(.crowded))) }
    }

    /// Notes the length of the body that a slot is about to get.
    func noteLength(_ slot: TransferSlot, _ total: Int64?) {
        guard slot.answer.time != nil, let total, total > Self.longestShared else { return }
        slot.answer.time = nil
        reports.append((slot.job, .shared(.large)))
    }

    /// Notes that a body has come whole.
    func noteArrival(_ slot: TransferSlot) {
        guard let time = slot.answer.time, slot.transfer.length <= Self.longestShared else { return }
        let whole = now - slot.sending.time
        let host = slot.trail.hostKey
        // By proxy, requests have no place on connections of their host's.
        let connections = usesProxy ? 1 : hosts.connectionCount(of: host)
        reports.append(
            (slot.job, .shared(.served(milliseconds: time, whole: whole, connections: connections, at: now)))
        )
    }

    /// Sends a request again that has had no answer when its shared connection was lost, at once or as soon as its host
    /// has answered others; returns false where it isn't such a one, or has been sent often enough.
    ///
    /// From the second time on, whoever counts, the host has to have answered others since it was sent, but for one
    /// time over a new connection: a host that answers nobody isn't helped by more requests.
    func sendAgain(_ slot: TransferSlot, _ result: CURLcode) -> Bool {
        guard slot.answer.failure == nil, let answers = hosts.answers(of: slot.trail.hostKey),
            let loss = loss(of: slot, result)
        else { return false }
        if slot.trail.isAtHome { reports.append((slot.job, .shared(.refused))) }
        guard loss != .refused, slot.sending.resends < (loss == .reset ? 1 : Self.mostResends) else {
            return false
        }
        let isFirst = loss != .often && slot.sending.resends == 0
        if isFirst || slot.sending.answersSeen != answers {
            resend(slot)
        } else {
            lost.append(
                LostRequest(slot: slot, result: result, lostAt: now, wasSentOften: loss == .often)
            )
        }
        return true
    }

    /// Sends a request of a transfer once more.
    func resend(_ slot: TransferSlot) {
        slot.sending.resends += 1
        // Sent as soon as the host has answered another, it would go over the connection that goes with that answer.
        if slot.sending.resends > 1 { slot.sending.needsNewConnection = true }
        noteRequest(slot)
        send(slot)
    }

    /// Sends lost requests again whose hosts have answered others meanwhile; those that have waited for that in vain
    /// are sent a last time, over new connections, or end.
    func resumeLost() {
        guard !lost.isEmpty else { return }
        let waiting = lost
        lost = []
        for request in waiting {
            let slot = request.slot
            if let answers = hosts.answers(of: slot.trail.hostKey),
                answers != slot.sending.answersSeen
            {
                resend(slot)
            } else if now - request.lostAt >= Self.longestLoss {
                guard !request.wasSentOften, !slot.sending.needsNewConnection else {
                    end(slot, outcome(slot, request.result))
                    continue
                }
                // There may be no others that could be answered.
                slot.sending.needsNewConnection = true
                resend(slot)
            } else {
                // libcurl doesn't have it, so it doesn't wait there.
                slot.sending.time = now
                lost.append(request)
            }
        }
    }

    /// The ways in which a request to a host with shared connections ends without an answer.
    private enum Loss {
        /// The host doesn't answer.
        case refused
        /// The host has reset this stream alone, which may be for once, or for all times.
        case reset
        /// It went with its connection.
        case once
        /// libcurl has sent it again by itself, five times, over one connection after the other, which can take a
        /// millisecond where a server closes them after a few requests.
        case often
    }

    /// Returns in which way a request was left without an answer; nil where it ended in another way.
    private func loss(of slot: TransferSlot, _ result: CURLcode) -> Loss? {
        switch result {
        case CURLE_OPERATION_TIMEDOUT: return .refused
        case _ where slot.hasAnswer: return nil
        case CURLE_HTTP2_STREAM: return .reset
        // libcurl calls it a partial file, too, when a connection ends before the head has come.
        case CURLE_HTTP2, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
            return slot.detail.hasPrefix("Connection died") ? .often : .once
        default: return nil
        }
    }
}
