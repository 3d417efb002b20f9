import JobModel

/// A watch over transfers that rest with nothing left that will wake them, which only a mistake of ours can cause.
///
/// Such a transfer would hold its permit for ever, with no time limit to end it, as libcurl doesn't have it.
extension TransferLoop {
    /// Ends transfers that have rested for as long as a server may be silent, so that they are tried again, and reports
    /// them as faults.
    func endResting() {
        let patience = Int64(configuration.lowSpeedTime) * 1000
        for slot in active.values {
            guard !willBeWoken(slot) else {
                slot.transfer.restsSince = nil
                continue
            }
            let since = slot.transfer.restsSince ?? now
            slot.transfer.restsSince = since
            guard now - since >= patience else { continue }
            logger.error(
                "a transfer waited for nothing, and is tried again: a bug in facefetch, please report it",
                metadata: ["job": "\(slot.job)"]
            )
            whenAtRest()
            let failure = JobFailure(
                .stalled,
                "facefetch lost track of the transfer: a bug, please report it"
            )
            let end = TransferEnd.interrupted(failure, retryAfter: nil)
            if let crew = slot.transfer.crew { endCrew(crew, end) } else { self.end(slot, end) }
        }
    }

    /// Returns whether something is under way that leads to a transfer's next step: an answer, a place in a line, a sync
    /// or a commit.
    private func willBeWoken(_ slot: TransferSlot) -> Bool {
        let transfer = slot.transfer
        if transfer.replacement != nil { return true }
        if let crew = transfer.crew, crew.end != nil || crew.syncing != nil { return true }
        return slot.slotsOfTransfer.contains { slot in
            slot.isInLibcurl || gate.contains(where: { $0 === slot }) || lost.contains { $0.slot === slot }
        }
    }
}
