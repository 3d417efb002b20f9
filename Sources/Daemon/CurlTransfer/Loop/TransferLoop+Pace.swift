import JobModel
import Vocabulary

/// Keeping to the pace that hosts are asked at: with every request, also those after redirects and for segments.
extension TransferLoop {
    /// The longest wait for a pace, in seconds, in which a transfer keeps its permit.
    static let longestPaceWait = 30.0

    /// The time of this turn for machines that decide by moments.
    var moment: Moment { Moment(microseconds: hostTime * 1000) }

    /// Returns the pace of the host that a URL is of.
    func pace(of url: JobURL) -> Pace? { configuration.hosts.limits(of: url.hostName).pace }

    /// Returns whether a slot may send its request now; if it may not, it is sent in its turn.
    func passesGate(_ slot: TransferSlot) -> Bool {
        let url = slot.trail.current
        return gate.passes(slot, to: url.hostKey, pace: pace(of: url), now: moment)
    }

    /// Sends the requests whose turn it is.
    func sendPaced() {
        guard !gate.isEmpty else { return }
        let rules = configuration.hosts
        let due = gate.takeDue(now: moment, pace: { rules.limits(of: JobURL.name(ofHostKey: $0)).pace })
        // A request that can't be sent may have ended others with its crew.
        for slot in due where isAtWork(slot) { transmit(slot) }
        // Nobody has left them without an answer.
        gate.forEachWaiting { $0.sending.time = now }
    }

    /// Returns whether a slot still has the transfer, or the stream, whose request has waited.
    private func isAtWork(_ slot: TransferSlot) -> Bool {
        active[slot.job]?.slotsOfTransfer.contains { $0 === slot } ?? false
    }

    /// Returns whether a request to a URL could be sent at once.
    func isOpen(_ url: JobURL) -> Bool { gate.isOpen(at: url.hostKey, pace: pace(of: url), now: moment) }

    /// Forgets the request of a slot that waits for its turn, because its transfer has ended.
    func forgetPaced(_ slot: TransferSlot) {
        if !gate.isEmpty { gate.removeAll { $0 === slot } }
    }

    /// The milliseconds until the next request's turn; nil if none waits.
    var paceTimeout: Int32? {
        guard !gate.isEmpty else { return nil }
        let seconds = gate.opensAt(now: moment)?.seconds(since: moment) ?? 0
        return Int32(min(max(seconds * 1000 + 1, 1), 60_000))
    }

    /// Returns the end of a transfer that was led to a host whose pace keeps it for long, so that others can have its
    /// permit; nil if it isn't long.
    ///
    /// Each such transfer gets a turn of its own: all at once, they would ask the host that leads there again and again.
    func paceOfRedirect(_ slot: TransferSlot) -> TransferEnd? {
        let url = slot.trail.current
        guard !slot.trail.isAtHome else { return nil }
        let wait = gate.wait(at: url.hostKey, pace: pace(of: url), now: moment)
        guard wait > Self.longestPaceWait else { return nil }
        let failure = JobFailure(
            .paced,
            "\(slot.place), where the server redirects to, has a pace, and others wait for their turn there"
        )
        let turn = gate.reserve(at: url.hostKey, pace: pace(of: url), now: moment)
        return .hindered(failure, by: .paced(host: url.hostKey, seconds: turn))
    }
}
