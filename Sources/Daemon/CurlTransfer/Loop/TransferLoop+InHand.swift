import JobModel
import Vocabulary

/// Requests in hand: each goes out in the moment in which another transfer of its host ends.
extension TransferLoop {
    /// Starts a transfer, or keeps its request until as few of its host are under way as it says.
    func take(_ request: TransferRequest) {
        guard let turn = request.turn else { return start(request) }
        inHand.add(request)
        beginNext(at: turn.host)
    }

    /// Lets another transfer of a host follow one that has ended.
    ///
    /// Where something is in the way of all of them, the engine decides what becomes of those that waited.
    func follow(_ request: TransferRequest, _ end: TransferEnd) {
        guard let host = request.turn?.host else { return }
        inHand.ended(at: host)
        if case .hindered = end { giveBack(inHand.removeAll(at: host)) } else { beginNext(at: host) }
    }

    /// Reports that the requests of jobs won't be sent.
    func giveBack(_ jobs: [JobID]) {
        for job in jobs { reports.append((job, .ended(.unsent))) }
    }

    private func beginNext(at host: String) {
        while let request = inHand.popNext(at: host) { start(request) }
    }
}
