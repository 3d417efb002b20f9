import JobModel

/// Handling of transfers' reports, and of their ends.
extension JobDraft {
    /// Begins a transfer with the permit just granted, resuming the partial if that can be proven safe.
    mutating func begin(
        partialLength: Int64?,
        surviving: SegmentMap?,
        boot: String?,
        in context: inout JobContext
    ) -> JobActivity {
        guard job.url.isReadable else {
            context.move(.releasePermit)
            let reason = "its stored URL can no longer be read; retry it with its URL"
            fail(JobFailure(.storageError, reason), in: &context)
            return .idle
        }
        tryBegan = context.now
        job.state = .downloading
        job.attempts += 1
        trust.awaitAnswer(boot: boot)
        if !job.hasStarted {
            job.hasStarted = true
            context.emit(.started(url: job.url.masked))
        }
        let held = partialLength ?? 0
        switch start(partialLength: held, surviving: surviving) {
        case .complete:
            job.segments = nil
            progressed(to: held, in: &context)
            context.move(.releasePermit)
            return seal(in: &context)
        case .resume(let point):
            // Bytes that aren't synced don't belong in the store.
            job.segments = point.held.flatMap { job.segments?.clipped(to: $0.end) }
            job.bytes = point.held?.count ?? point.offset
            return transfer(from: point, in: &context)
        case .fresh(let reason):
            if let reason { context.emit(.restarted(name: job.name, reason: reason)) }
            forgetPartial()
            return transfer(from: nil, in: &context)
        }
    }

    private func transfer(from point: ResumePoint?, in context: inout JobContext) -> JobActivity {
        context.perform(.startTransfer(resume: point))
        return .transferring(isFresh: point == nil, startedAt: nil)
    }

    func seal(in context: inout JobContext) -> JobActivity {
        let wanted = wantedName(in: context)
        let mustHash = job.expectedSHA256 != nil || wanted.layout.needsHash
        context.perform(.seal(wantedName: wanted, mustHash: mustHash, traits(in: context)))
        return .sealing
    }

    private func store(_ body: BufferedBody, in context: inout JobContext) -> JobActivity {
        let traits = traits(in: context)
        context.perform(.store(body, validator: job.validator, wantedName: wantedName(in: context), traits))
        return .publishing
    }

    private func traits(in context: JobContext) -> DocumentTraits {
        DocumentTraits(
            response: job.response,
            modified: context.documents.usesServerTimes
                ? job.response?.modificationTime(asOf: context.now.wall) : nil,
            adjustsExtension: context.documents.adjustsExtensions && mayRename
        )
    }

    /// True if a person hasn't asked for just this name; a source's recipe can't know what its pictures are.
    private var mayRename: Bool { !job.hasGivenName || job.options.source != nil }

    /// Gives up the old partial, because the server sends the whole file again.
    ///
    /// The transfer waits until the store no longer claims anything of the old version.
    mutating func restarting(because reason: String, in context: inout JobContext) {
        context.emit(.restarted(name: job.name, reason: reason))
        forgetPartial()
        context.perform(.confirmTransfer)
    }

    /// Records an accepted response's statements about the file.
    mutating func began(_ start: TransferStart, in context: inout JobContext) {
        if case .resumed = start.mode {
            context.emit(.resumed(name: job.name, offset: start.offset, total: start.total))
        }
        job.partialBoot = trust.bodyBegan(after: job.partialBoot)
        adoptName(of: start)
        job.bytes = start.offset
        job.totalBytes = start.total
        job.validator = start.validator
        job.lengthUnproven = false
        adoptResponse(of: start)
    }

    /// Keeps the server's statements about the file, unless it only goes on with one that is known.
    private mutating func adoptResponse(of start: TransferStart) {
        if start.mode == .resumed, job.response != nil { return }
        job.response = start.response
        // Of most files it is the same, which needs no room then.
        if job.response?.finalURL == job.url.masked { job.response?.finalURL = nil }
    }

    /// Adopts the server's name for the file (RFC 6266), made safe, and gives a name without an extension
    /// that of the content type.
    ///
    /// The server's name takes precedence over the URL's, but not over a name that was asked for. What a
    /// person or a program asked for is left as it is; a source's recipe can't know the types of its
    /// pictures.
    private mutating func adoptName(of start: TransferStart) {
        if !job.hasGivenName, start.mode != .resumed {
            if let suggested = start.suggestedName, !suggested.isEmpty {
                job.name = DocumentName.sanitized(suggested)
            } else if job.hasExtendedName {
                // The type may be another one this time.
                job.name = DocumentName.derived(from: job.url)
            }
        }
        guard mayRename else { return }
        job.name = DocumentName.extended(job.name, for: job.url, contentType: start.contentType)
    }

    /// Handles the end of a transfer that wasn't asked to stop; `startedAt` is the offset at which its
    /// body began, nil if none did.
    mutating func ended(
        _ end: TransferEnd,
        isFresh: Bool,
        startedAt: Int64?,
        fault: AttemptFault,
        in context: inout JobContext
    ) -> JobActivity {
        if case .mustRestart(let reason) = end, !isFresh {
            context.emit(.restarted(name: job.name, reason: reason))
            forgetPartial()
            job.attempts += 1
            return transfer(from: nil, in: &context)
        }
        context.move(.releasePermit)
        switch end {
        case .completed(let length, let lengthProven):
            completed(length: length, lengthProven: lengthProven, in: &context)
            return seal(in: &context)
        case .buffered(let body, let lengthProven):
            completed(length: body.length, lengthProven: lengthProven, in: &context)
            return store(body, in: &context)
        case .mustRestart(let reason):
            // This was a request for the whole file already. Asking once more would loop.
            discardPartial(in: &context)
            fail(JobFailure(.protocolError, reason), in: &context)
        case .interrupted(let failure, let retryAfter):
            context.perform(.syncPartial)
            // Compared with the furthest that any attempt got: a file that must start from zero each
            // time, and always breaks off at the same place, makes no progress.
            let furthest = job.furthestBytes
            let progress = AttemptProgress(
                bytes: startedAt == nil ? 0 : job.bytes - furthest,
                seconds: secondsOfTry(in: context) + max(1, retryAfter ?? 0),
                rest: job.totalBytes.map { $0 - job.bytes }
            )
            job.furthestBytes = max(furthest, job.bytes)
            if failure.code == .diskFull, endOnFullDisk(after: furthest, in: &context) { break }
            let outcome: TryOutcome =
                progress.isEnough && !fault.isShared ? .broughtSomething : TryOutcome(fault)
            tryAgain(after: failure, outcome, retryAfter: retryAfter, in: &context)
            giveRoomBack(in: &context)
        case .hindered(let failure, let hindrance) where fault == .own && hindrance.isFinalAlone:
            fail(failure, in: &context)
        case .hindered(let failure, let hindrance):
            context.perform(.syncPartial)
            tryAgain(after: failure, TryOutcome(fault), in: &context)
            if let host = hindrance.timedHost, host != job.url.hostKey, job.toldOf.contains(.host) {
                job.toldOf.insert(.otherHost)
            }
        case .damaged(let failure):
            discardBadPartial(because: failure.message, in: &context)
            tryAgain(after: failure, TryOutcome(fault), in: &context)
        case .refused(let failure):
            // A partial of a file that is too large is of no use to a later attempt.
            if failure.code == .tooLarge, job.bytes > 0 { discardPartial(in: &context) }
            fail(failure, in: &context)
        case .stopped, .unsent:
            // Nobody asked it to stop.
            requeue(in: &context)
        }
        return .idle
    }

    private mutating func completed(length: Int64, lengthProven: Bool, in context: inout JobContext) {
        job.lengthUnproven = !lengthProven
        // Segments are synced to the last byte as they come.
        if job.segments != nil { job.durableBytes = length }
        job.segments = nil
        guard job.totalBytes == nil else { return progressed(to: length, in: &context) }
        job.bytes = length
        if job.loggedBytes != length { emitBytes(in: &context) }
        job.totalBytes = length
        job.loggedSteps = 10
    }

    /// Handles the end of a transfer that was asked to stop; the job may have been steered elsewhere
    /// since.
    mutating func stopped(_ end: TransferEnd, in context: inout JobContext) -> JobActivity {
        context.move(.releasePermit)
        if case .buffered(let body, let lengthProven) = end {
            // Where the job is to go on, it may have another URL by now, and where it waits, there was no
            // room: the body is given up, which was little. A pause is none of these.
            guard job.state == .paused else {
                let total = job.totalBytes
                forgetPartial()
                // That tells how much room the next attempt needs.
                if job.state == .waiting { job.totalBytes = total }
                return restAfterStop(in: &context)
            }
            completedUntold(length: body.length, lengthProven: lengthProven)
            return store(body, in: &context)
        }
        if case .damaged = end { trust.isBad = true }
        if case .completed(let length, let lengthProven) = end {
            completedUntold(length: length, lengthProven: lengthProven)
        }
        return restAfterStop(in: &context)
    }

    /// Takes the beginning of an attempt back of which no server has heard; `wasTold` is true if others have.
    mutating func takeBackAttempt(wasTold: Bool) {
        job.attempts = max(0, job.attempts - 1)
        if !wasTold { job.hasStarted = false }
    }

    private mutating func completedUntold(length: Int64, lengthProven: Bool) {
        // The length was unknown until now: no percentages were reported, and none should be.
        if job.totalBytes == nil { job.loggedSteps = 10 }
        job.bytes = length
        job.totalBytes = length
        job.segments = nil
        job.lengthUnproven = !lengthProven
    }

    private mutating func restAfterStop(in context: inout JobContext) -> JobActivity {
        if trust.isBad { discardBadPartial(in: &context) }
        switch job.state {
        case .queued: context.move(.enqueueTransfer)
        case .cancelled: discardPartial(in: &context)
        default:
            context.perform(.syncPartial)
            if job.waiting?.reason.code == .diskFull, endOnFullDisk(after: job.furthestBytes, in: &context) {
                break
            }
            giveRoomBack(in: &context)
        }
        return .idle
    }
}

extension Job {
    /// True if the name is the URL's with an extension added.
    fileprivate var hasExtendedName: Bool { name.hasPrefix(DocumentName.derived(from: url) + ".") }
}
