extension JobMachine {
    /// The document store tells something.
    mutating func handle(
        _ report: StorageReport,
        now: Moment,
        retry: RetryPolicy,
        using generator: inout some RandomNumberGenerator,
        into decision: inout JobDecision
    ) {
        switch (activity, report) {
        case (.sealing, .sealed(let partial, let path, let freeName)):
            activity = .idle
            sealed(partial, path: path, freeName: freeName, now: now, into: &decision)
        case (.sealing, .sealFailed(let failure, let keepsPartial)):
            activity = .idle
            if !keepsPartial {
                // A failed sync is final for its partial: the kernel may have
                // dropped the data and called the pages clean (fsync(2), EIO).
                discardBadPartial(because: failure.message, into: &decision)
            }
            waitUnlessSteered(failure, now: now, retry: retry, using: &generator, into: &decision)
        case (.publishing, .published(let path, let mark)):
            activity = .idle
            published(path: path, mark: mark, now: now, into: &decision)
        case (.publishing, .nameTaken(let freeName)):
            guard let sealed = job.reservation?.sealed else { return }
            reserve(freeName, for: sealed, into: &decision)
        case (.publishing, .publishFailed(let failure, let keepsPartial)):
            activity = .idle
            job.reservation = nil
            if !keepsPartial { discardBadPartial(because: failure.message, into: &decision) }
            waitUnlessSteered(failure, now: now, retry: retry, using: &generator, into: &decision)
        case (_, .hashed(let sha256)):
            guard job.path != nil, job.sha256 == nil else { return }
            job.sha256 = sha256
            decision.isDirty = true
            if job.state == .stored { decision.moves.append(.enqueueDetection) }
        case (_, .hashFailed):
            // A detector will say what is wrong with it.
            if job.state == .stored, job.sha256 == nil { decision.moves.append(.enqueueDetection) }
        case (.idle, .synced(let length)):
            // Only while nothing has been written since.
            guard job.path == nil, job.segments == nil, job.bytes == length else { return }
            job.durableBytes = length
            decision.isDirty = true
        case (.idle, .syncFailed):
            guard job.path == nil, job.bytes > 0 else { return }
            discardBadPartial(into: &decision)
        case (.transferring, .syncFailed):
            partialIsBad = true
            activity = .stopping
            job.state = .queued
            decision.isDirty = true
            decision.deeds.append(.stopTransfer)
        case (.stopping, .syncFailed), (.sealing, .syncFailed):
            partialIsBad = true
        case (.sealing, _), (.publishing, _), (.idle, _), (.transferring, _), (.stopping, _):
            break
        }
    }

    private mutating func sealed(
        _ partial: SealedPartial,
        path: String,
        freeName: String,
        now: Moment,
        into decision: inout JobDecision
    ) {
        decision.isDirty = true
        if partialIsBad {
            discardBadPartial(into: &decision)
            if job.state == .downloading { requeue(into: &decision) }
            return
        }
        switch job.state {
        case .downloading: break
        case .queued:
            decision.moves.append(.enqueueTransfer)
            return
        case .cancelled:
            forgetPartial()
            decision.deeds.append(.discardPartial)
            return
        default:
            // Paused: the partial is complete, and is published when the job goes on.
            return
        }
        if !job.hasFinished {
            // Only now: what is told to be there is on the disk.
            job.hasFinished = true
            decision.events.append(.finished(url: job.url.masked, partialPath: path))
        }
        if let expected = job.expectedSHA256, expected != partial.sha256 {
            forgetPartial()
            decision.deeds.append(.discardPartial)
            let message = "the file's SHA-256 is \(partial.sha256 ?? "unknown"), expected was \(expected)"
            fail(JobFailure(.checksumMismatch, message), now: now, into: &decision)
            return
        }
        reserve(freeName, for: partial, into: &decision)
    }

    private mutating func reserve(
        _ name: String,
        for partial: SealedPartial,
        into decision: inout JobDecision
    ) {
        let reservation = Job.Reservation(name: name, sealed: partial)
        job.reservation = reservation
        activity = .publishing
        decision.isDirty = true
        decision.deeds.append(.publish(reservation, wantedName: job.name))
    }

    /// The document stands under its name.
    ///
    /// Whatever was asked meanwhile, that is so.
    private mutating func published(
        path: String,
        mark: FileMark? = nil,
        now: Moment,
        into decision: inout JobDecision
    ) {
        guard let reservation = job.reservation else { return }
        // Somebody may have written to it the moment it got its name, or put another there.
        job.documentMark = mark.flatMap { $0.isOf(reservation.sealed) ? $0 : nil }
        job.name = reservation.name
        job.path = path
        job.sha256 = reservation.sealed.sha256
        job.bytes = reservation.sealed.length
        job.reservation = nil
        // No request follows for which a secret would have to be kept.
        job.headers = []
        job.fruitlessTries = 0
        job.struggled = 0
        job.toldOfFullDisk = false
        decision.isDirty = true
        decision.events.append(.stored(name: job.name, path: path))
        if job.state == .downloading || job.state == .queued {
            job.state = .stored
            goOnWithDocument(inode: reservation.sealed.inode, into: &decision)
        } else if job.sha256 == nil {
            let document = Document(path: path, length: job.bytes, inode: reservation.sealed.inode)
            decision.deeds.append(.hash(document))
        }
    }

    private mutating func waitUnlessSteered(
        _ failure: JobFailure,
        now: Moment,
        retry: RetryPolicy,
        using generator: inout some RandomNumberGenerator,
        into decision: inout JobDecision
    ) {
        decision.isDirty = true
        switch job.state {
        case .downloading:
            wait(
                failure,
                retryAfter: nil,
                broughtSomething: false,
                now: now,
                retry: retry,
                using: &generator,
                into: &decision
            )
        case .queued: decision.moves.append(.enqueueTransfer)
        case .cancelled:
            forgetPartial()
            decision.deeds.append(.discardPartial)
        default: break
        }
    }

    /// The daemon has started again: nothing is under way, whatever the state says.
    mutating func recover(_ publication: Publication?, now: Moment, into decision: inout JobDecision) {
        guard activity == .idle else { return }
        if let publication { recoverPublication(publication, now: now, into: &decision) }
        switch job.state {
        case .downloading where activity == .idle: requeue(into: &decision)
        case .queued: decision.moves.append(.enqueueTransfer)
        case .waiting:
            guard let until = job.waiting?.until else { return }
            // Nobody waits longer than that, whatever became of clocks or of the row.
            let latest = now.adding(seconds: RetryPolicy.longestWait)
            if until > latest {
                job.waiting?.until = latest
                decision.isDirty = true
            }
            decision.moves.append(.wake(at: min(max(until, now), latest)))
        case .detecting:
            job.state = .stored
            decision.isDirty = true
            goOnWithDocument(into: &decision)
        case .stored where publication == nil: goOnWithDocument(into: &decision)
        default: break
        }
    }

    private mutating func recoverPublication(
        _ publication: Publication,
        now: Moment,
        into decision: inout JobDecision
    ) {
        guard let reservation = job.reservation else { return }
        switch publication {
        case .published(let path): published(path: path, now: now, into: &decision)
        case .pending where job.state == .downloading:
            reserve(reservation.name, for: reservation.sealed, into: &decision)
        case .pending, .lost:
            job.reservation = nil
            decision.isDirty = true
            if job.state == .cancelled {
                forgetPartial()
                decision.deeds.append(.discardPartial)
            }
        }
    }
}
