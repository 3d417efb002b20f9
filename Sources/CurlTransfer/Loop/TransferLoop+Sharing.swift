import CCurl
import JobCore

/// Requests that share a connection (HTTP/2), and what is learnt from them of their host.
extension TransferLoop {
    /// The longest body, in bytes, that may share a connection with very many.
    static let longestShared: Int64 = 1 << 20
    /// The most times that a request is sent again at once that was lost with its connection.
    static let mostResends = 5

    /// Notes whether the host that a slot has an answer from shares connections, and how long it took.
    func noteAnswer(_ slot: TransferSlot) {
        let host = slot.trail.current.hostKey
        let isShared = slot.information(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0)
        let wasShared = hosts.shares(host)
        if isShared != wasShared { hosts.noteSharing(isShared, by: host) }
        guard slot.trail.isAtHome, isShared else {
            if wasShared || !slot.trail.isAtHome { reports.append((slot.job, .shared(.alone))) }
            return
        }
        slot.answer.time = now - slot.requestedAt
        // The first connection is not beside any other.
        guard wasShared, slot.information(CURLINFO_NUM_CONNECTS) > 0 else { return }
        reports.append((slot.job, .shared(.crowded)))
    }

    /// Notes the length of the body that a slot is about to get.
    func noteLength(_ slot: TransferSlot, _ total: Int64?) {
        guard slot.answer.time != nil, let total, total > Self.longestShared else { return }
        slot.answer.time = nil
        reports.append((slot.job, .shared(.large)))
    }

    /// Notes that a body has come whole.
    func noteArrival(_ slot: TransferSlot) {
        guard let time = slot.answer.time, slot.length <= Self.longestShared else { return }
        reports.append((slot.job, .shared(.served(milliseconds: time))))
    }

    /// Sends a request again that has had no answer when its shared connection was lost, or that its host has given
    /// up; returns false where it isn't such a one, or has been sent often enough.
    func sendAgain(_ slot: TransferSlot, _ result: CURLcode) -> Bool {
        guard slot.answer.failure == nil, !slot.hasAnswer, hosts.shares(slot.trail.current.hostKey) else {
            return false
        }
        switch result {
        // libcurl calls it a partial file, too, when a connection ends before the head has come.
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING,
            CURLE_PARTIAL_FILE:
            break
        default: return false
        }
        if slot.trail.isAtHome { reports.append((slot.job, .shared(.refused))) }
        guard slot.resends < Self.mostResends else { return false }
        slot.resends += 1
        noteRequest(slot)
        send(slot)
        return true
    }
}
