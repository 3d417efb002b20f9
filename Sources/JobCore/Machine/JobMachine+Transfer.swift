extension JobMachine {
    /// The queue gave the job a slot: go on where the partial ends, if that can be proven.
    mutating func begin(partialLength: Int64?, boot: String?, into decision: inout JobDecision) {
        guard job.state == .queued, activity == .idle else {
            // The slot was given to a job that was steered away meanwhile.
            decision.moves.append(.releaseSlot)
            return
        }
        job.state = .downloading
        job.attempts += 1
        answer = .awaited(boot: boot)
        decision.isDirty = true
        if !job.hasStarted {
            job.hasStarted = true
            decision.events.append(.started(url: job.url.masked))
        }
        let held = partialLength ?? 0
        switch resumePoint(partialLength: held) {
        case .complete:
            job.segments = nil
            progressed(to: held, into: &decision)
            complete(into: &decision)
            decision.moves.append(.releaseSlot)
        case .resume(let point):
            job.segments = point.held
            job.bytes = point.held?.count ?? point.offset
            transfer(from: point, into: &decision)
        case .fresh(let reason):
            if let reason { decision.events.append(.restarted(name: job.name, reason: reason)) }
            forgetPartial()
            transfer(from: nil, into: &decision)
        }
    }

    private enum Start {
        case complete
        case resume(ResumePoint)
        case fresh(reason: String?)
    }

    private func resumePoint(partialLength held: Int64) -> Start {
        guard held > 0 else {
            return .fresh(reason: job.bytes > 0 ? "nothing of the partial file is sure to be there" : nil)
        }
        let segments = job.segments?.clipped(to: held)
        if let total = job.totalBytes {
            if held == total, segments.map({ $0.prefix == total }) ?? true { return .complete }
            if held > total { return .fresh(reason: "the partial file is longer than the whole file") }
        }
        guard let validator = job.validator else {
            return .fresh(reason: "the server gave nothing to prove that the file is still the same")
        }
        guard let segments else {
            return .resume(ResumePoint(offset: held, total: job.totalBytes, validator: validator))
        }
        guard segments.count > 0 else {
            return .fresh(
                reason: job.bytes > 0 ? "nothing of the partial file is sure to be on the disk" : nil
            )
        }
        return .resume(
            ResumePoint(
                offset: segments.prefix,
                total: job.totalBytes,
                validator: validator,
                held: segments
            )
        )
    }

    private mutating func transfer(from point: ResumePoint?, into decision: inout JobDecision) {
        activity = .transferring(isFresh: point == nil, startedAt: nil)
        decision.deeds.append(.startTransfer(resume: point))
    }

    /// The transfer thread tells something.
    mutating func handle(
        _ report: TransferReport,
        counts: Bool,
        now: Moment,
        retry: RetryPolicy,
        using generator: inout some RandomNumberGenerator,
        into decision: inout JobDecision
    ) {
        switch (activity, report) {
        case (.transferring, .restarting(let reason)):
            decision.events.append(.restarted(name: job.name, reason: reason))
            forgetPartial()
            decision.isDirty = true
            decision.deeds.append(.confirmTransfer)
        case (.transferring(let isFresh, _), .began(let start)):
            activity = .transferring(isFresh: isFresh, startedAt: start.offset)
            began(start, into: &decision)
        case (.transferring, .progressed(let bytes)):
            progressed(to: bytes, into: &decision)
        case (.transferring, .synced(let bytes)):
            job.durableBytes = bytes
            decision.isDirty = true
        case (.transferring, .kept(let map)):
            decision.deeds.append(.confirmTransfer)
            job.segments = map
            decision.isDirty = true
        case (.stopping, .kept(let map)):
            // Not where the partial has been given up meanwhile.
            guard job.totalBytes != nil else { return }
            job.segments = map
            decision.isDirty = true
        case (.transferring(let isFresh, let startedAt), .ended(let end)):
            activity = .idle
            ended(
                end,
                counts: counts,
                isFresh: isFresh,
                startedAt: startedAt,
                now: now,
                retry: retry,
                using: &generator,
                into: &decision
            )
        case (.stopping, .progressed(let bytes)):
            if job.state != .cancelled { job.bytes = bytes }
        case (.stopping, .ended(.damaged)):
            activity = .idle
            partialIsBad = true
            stopped(.stopped, into: &decision)
        case (.stopping, .ended(let end)):
            activity = .idle
            stopped(end, into: &decision)
        case (.stopping, .restarting):
            // Nobody confirms it: the partial stays as the store knows it.
            break
        case (.stopping, .began), (.stopping, .synced), (.idle, _), (.sealing, _), (.publishing, _):
            break
        }
    }

    private mutating func began(_ start: TransferStart, into decision: inout JobDecision) {
        if case .resumed = start.mode {
            decision.events.append(.resumed(name: job.name, offset: start.offset, total: start.total))
        }
        // What this run of the machine vouches for is only what it leaves in the partial now: until here
        // there may be more in it than was synced before a power cut.
        if case .awaited(let boot) = answer {
            job.partialBoot = boot
            answer = .begun
        }
        adoptName(of: start)
        job.bytes = start.offset
        job.totalBytes = start.total
        job.validator = start.validator
        job.lengthUnproven = false
        decision.isDirty = true
    }

    /// The server's own name for the file (RFC 6266), made safe, goes before
    /// the URL's, and after one that was asked for.
    private mutating func adoptName(of start: TransferStart) {
        guard let suggested = start.suggestedName, !suggested.isEmpty, !job.hasGivenName,
            start.mode != .resumed
        else { return }
        job.name = DocumentName.sanitized(suggested)
    }

    private mutating func ended(
        _ end: TransferEnd,
        counts: Bool,
        isFresh: Bool,
        startedAt: Int64?,
        now: Moment,
        retry: RetryPolicy,
        using generator: inout some RandomNumberGenerator,
        into decision: inout JobDecision
    ) {
        decision.isDirty = true
        switch end {
        case .completed(let length, let lengthProven):
            job.lengthUnproven = !lengthProven
            // What came in segments has been synced to the last byte.
            if job.segments != nil { job.durableBytes = length }
            job.segments = nil
            if job.totalBytes == nil {
                job.bytes = length
                if job.loggedBytes != length { logBytes(into: &decision) }
                job.totalBytes = length
                job.loggedSteps = 10
            } else {
                progressed(to: length, into: &decision)
            }
            decision.moves.append(.releaseSlot)
            complete(into: &decision)
        case .mustRestart(let reason) where !isFresh:
            decision.events.append(.restarted(name: job.name, reason: reason))
            forgetPartial()
            job.attempts += 1
            transfer(from: nil, into: &decision)
        case .mustRestart(let reason):
            // A request for the whole file can't be answered with "ask for the
            // whole file": this is what keeps restarts from looping.
            forgetPartial()
            decision.moves.append(.releaseSlot)
            decision.deeds.append(.discardPartial)
            fail(JobFailure(.protocolError, reason), now: now, into: &decision)
        case .interrupted(let failure, let retryAfter):
            decision.moves.append(.releaseSlot)
            decision.deeds.append(.syncPartial)
            // Compared with the furthest that any try came: a file that must begin anew each time,
            // and always breaks off at the same place, brings nothing new.
            let broughtSomething = startedAt != nil && job.bytes > job.furthestBytes
            job.furthestBytes = max(job.furthestBytes, job.bytes)
            wait(
                failure,
                retryAfter: retryAfter,
                counts: counts,
                broughtSomething: broughtSomething,
                now: now,
                retry: retry,
                using: &generator,
                into: &decision
            )
            giveRoomBack(into: &decision)
        case .damaged(let failure):
            decision.moves.append(.releaseSlot)
            discardBadPartial(because: failure.message, into: &decision)
            wait(
                failure,
                retryAfter: nil,
                counts: counts,
                broughtSomething: false,
                now: now,
                retry: retry,
                using: &generator,
                into: &decision
            )
        case .refused(let failure):
            decision.moves.append(.releaseSlot)
            if failure.code == .tooLarge, job.bytes > 0 {
                // Nothing goes on from it: the file stays too large.
                forgetPartial()
                decision.deeds.append(.discardPartial)
            }
            fail(failure, now: now, into: &decision)
        case .stopped:
            // Nobody asked.
            decision.moves.append(.releaseSlot)
            requeue(into: &decision)
        }
    }

    /// The transfer that was asked to stop has stopped; the job may have been steered on meanwhile.
    private mutating func stopped(_ end: TransferEnd, into decision: inout JobDecision) {
        decision.isDirty = true
        decision.moves.append(.releaseSlot)
        if case .completed(let length, let lengthProven) = end {
            // Of unknown length until now: no percents were told, and none are to be.
            if job.totalBytes == nil { job.loggedSteps = 10 }
            job.bytes = length
            job.totalBytes = length
            job.segments = nil
            job.lengthUnproven = !lengthProven
        }
        if partialIsBad { discardBadPartial(into: &decision) }
        switch job.state {
        case .queued: decision.moves.append(.enqueueTransfer)
        case .cancelled:
            forgetPartial()
            decision.deeds.append(.discardPartial)
        default:
            decision.deeds.append(.syncPartial)
            giveRoomBack(into: &decision)
        }
    }

    private mutating func complete(into decision: inout JobDecision) {
        activity = .sealing
        decision.deeds.append(.seal(wantedName: job.name, mustHash: job.expectedSHA256 != nil))
    }

    /// The daemon goes down in mid-transfer; what is on the disk is known.
    mutating func settled(length: Int64, into decision: inout JobDecision) {
        switch activity {
        case .transferring, .stopping: break
        case .idle, .sealing, .publishing: return
        }
        // Not yet cut to what is believed of it.
        guard answer == .begun else { return }
        // A partial with holes: its map says what is on the disk, not its length.
        guard job.segments == nil else { return }
        job.bytes = length
        job.durableBytes = length
        decision.isDirty = true
    }
}
