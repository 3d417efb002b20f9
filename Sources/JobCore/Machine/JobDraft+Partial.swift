/// What the partial holds, and how much of it is told.
extension JobDraft {
    /// How a transfer can begin.
    enum Start {
        /// All of the file is there.
        case complete
        /// The partial can be gone on with.
        case resume(ResumePoint)
        /// The whole file has to come; the reason is told where something is lost by that.
        case fresh(reason: String?)
    }

    /// How the next transfer can begin, with a partial of which so many bytes are to be believed.
    func start(partialLength held: Int64) -> Start {
        guard held > 0 else {
            return .fresh(reason: job.bytes > 0 ? "the partial file may be damaged" : nil)
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
                reason: job.bytes > 0 ? "the partial file may not have reached the disk" : nil
            )
        }
        let point = ResumePoint(
            offset: segments.prefix,
            total: job.totalBytes,
            validator: validator,
            held: segments
        )
        return .resume(point)
    }

    /// The partial holds so much: tells of the steps that this reaches.
    mutating func progressed(to bytes: Int64, in context: inout JobContext) {
        arrived(bytes)
        guard let total = job.totalBytes else {
            if ProgressSteps.deservesLine(bytes: bytes, logged: job.loggedBytes) { tellBytes(in: &context) }
            return
        }
        guard let steps = ProgressSteps.reached(bytes: bytes, total: total, logged: job.loggedSteps) else {
            return
        }
        job.loggedSteps = steps.upperBound
        for step in steps { context.tell(.progressed(name: job.name, percent: step * 10)) }
    }

    /// Tells how much there is of a file of unknown length.
    mutating func tellBytes(in context: inout JobContext) {
        job.loggedBytes = job.bytes
        context.tell(.received(name: job.name, bytes: job.bytes))
    }

    /// What the partial held is worth nothing any more.
    mutating func forgetPartial() {
        trust.forget(boot: job.partialBoot)
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

    /// Forgets the partial, and has it removed.
    mutating func discardPartial(in context: inout JobContext) {
        forgetPartial()
        context.ask(for: .discardPartial)
    }

    /// A sync of the partial failed: the kernel may have dropped what was
    /// written and called the pages clean, so that no later sync can tell (fsync(2), EIO).
    mutating func discardBadPartial(
        because reason: String = "what was written could not be synced to the disk",
        in context: inout JobContext
    ) {
        trust.isBad = false
        discardPartial(in: &context)
        if !job.state.isFinal { context.tell(.restarted(name: job.name, reason: reason)) }
    }

    /// The disk is full, and what was fetched stays on it only if a later try can go on from there.
    ///
    /// Where nothing would prove that the file is still the same, the next try begins anew in any
    /// case, and until then the partial would only keep others waiting.
    mutating func giveRoomBack(in context: inout JobContext) {
        guard job.waiting?.reason.code == .diskFull, job.validator == nil, job.bytes > 0,
            job.bytes != job.totalBytes
        else { return }
        let total = job.totalBytes
        job.furthestBytes = max(job.furthestBytes, job.bytes)
        discardPartial(in: &context)
        // What it is known to need.
        job.totalBytes = total
        let reason = "the disk is full, and the server gave nothing to resume the download by"
        context.tell(.restarted(name: job.name, reason: reason))
    }

    /// A partial that rests is on the disk, as long as it was.
    mutating func synced(length: Int64) {
        // Only while nothing has been written since.
        guard job.path == nil, job.segments == nil, job.bytes == length else { return }
        job.durableBytes = length
    }

    /// The daemon goes down in mid-transfer; what is on the disk is known.
    mutating func settled(length: Int64) {
        // Otherwise it is not yet cut to what is believed of it.
        guard trust.isOfThisRun else { return }
        // A partial with holes: its map says what is on the disk, not its length.
        guard job.segments == nil else { return }
        job.bytes = length
        job.durableBytes = length
    }
}
