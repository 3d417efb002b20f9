/// What is known of the partial, and how much of it is told.
extension JobMachine {
    /// The partial holds so much: tells of the steps that this reaches.
    mutating func progressed(to bytes: Int64, into decision: inout JobDecision) {
        job.bytes = bytes
        guard let total = job.totalBytes else {
            if ProgressSteps.deservesLine(bytes: bytes, logged: job.loggedBytes) {
                logBytes(into: &decision)
            }
            return
        }
        if let steps = ProgressSteps.reached(bytes: bytes, total: total, logged: job.loggedSteps) {
            job.loggedSteps = steps.upperBound
            decision.isDirty = true
            for step in steps {
                decision.events.append(.progressed(name: job.name, percent: step * 10))
            }
        }
    }

    /// Tells how much there is of a file of unknown length.
    mutating func logBytes(into decision: inout JobDecision) {
        job.loggedBytes = job.bytes
        decision.isDirty = true
        decision.events.append(.received(name: job.name, bytes: job.bytes))
    }

    /// What the partial held is worth nothing any more.
    ///
    /// It may lie there for a while yet: no run of the machine vouches for it before a body has begun anew.
    mutating func forgetPartial() {
        if answer == .begun { answer = .awaited(boot: job.partialBoot) }
        job.partialBoot = nil
        job.bytes = 0
        job.durableBytes = 0
        job.segments = nil
        job.totalBytes = nil
        job.validator = nil
        job.lengthUnproven = false
        job.loggedBytes = 0
        job.hasFinished = false
    }

    /// A sync of the partial failed: the kernel may have dropped what was
    /// written and called the pages clean, so that no later sync can tell (fsync(2), EIO).
    mutating func discardBadPartial(
        because reason: String = "what was written could not be synced to the disk",
        into decision: inout JobDecision
    ) {
        partialIsBad = false
        forgetPartial()
        decision.isDirty = true
        decision.deeds.append(.discardPartial)
        if !job.state.isFinal {
            decision.events.append(.restarted(name: job.name, reason: reason))
        }
    }

    /// The disk is full, and what was fetched stays on it only if a later try can go on from there.
    ///
    /// Where nothing would prove that the file is still the same, the next try begins anew in any
    /// case, and until then the partial would only keep others waiting.
    mutating func giveRoomBack(into decision: inout JobDecision) {
        guard job.waiting?.reason.code == .diskFull, job.validator == nil, job.bytes > 0,
            job.bytes != job.totalBytes
        else { return }
        let total = job.totalBytes
        job.furthestBytes = max(job.furthestBytes, job.bytes)
        forgetPartial()
        // What it is known to need.
        job.totalBytes = total
        decision.isDirty = true
        decision.deeds.append(.discardPartial)
        decision.events.append(
            .restarted(
                name: job.name,
                reason: "the disk is full, and the server gave nothing by which it could be gone on with"
            )
        )
    }
}
