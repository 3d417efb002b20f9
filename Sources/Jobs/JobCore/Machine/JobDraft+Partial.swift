import JobModel
import Vocabulary

/// The partial's content, and the progress reported of it.
extension JobDraft {
    /// A way to begin a transfer.
    enum Start {
        /// The partial already holds the whole file.
        case complete
        /// The transfer can resume from the partial.
        case resume(ResumePoint)
        /// The whole file must be fetched again; a reason is given if that discards anything.
        case fresh(reason: String?)
    }

    /// Returns how the next transfer can begin, given how many bytes of the partial can be trusted, and what
    /// else there is of a partial with holes.
    func start(partialLength held: Int64, surviving: SegmentMap? = nil) -> Start {
        guard held > 0 else {
            return .fresh(reason: job.bytes > 0 ? "the partial file may be damaged" : nil)
        }
        let stored = job.segments?.clipped(to: held)
        if let total = job.totalBytes {
            if held == total, stored.map({ $0.prefix == total }) ?? true { return .complete }
            if held > total { return .fresh(reason: "the partial file is longer than the whole file") }
        }
        guard let validator = job.validator else {
            return .fresh(reason: "the server gave nothing to prove that the file is still the same")
        }
        guard var stored else {
            return .resume(
                ResumePoint(
                    offset: held,
                    total: job.totalBytes,
                    validator: validator,
                    host: job.hostOfPartial
                )
            )
        }
        var segments = stored
        for range in surviving?.clipped(to: held).ranges ?? [] { segments.insert(range) }
        // Bytes that aren't synced are confirmed by a transfer, as all segments are, so at least one byte is
        // requested.
        if let total = job.totalBytes, segments.prefix == total {
            (segments, stored) = (segments.clipped(to: total - 1), stored.clipped(to: total - 1))
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
            host: job.hostOfPartial,
            held: segments,
            unsyncedCount: segments.count - stored.count
        )
        return .resume(point)
    }

    /// Records the partial's new length, and reports each step of progress that it reaches, unless the file
    /// is too short for such reports.
    mutating func progressed(to bytes: Int64, in context: inout JobContext) {
        arrived(bytes)
        guard job.totalBytes ?? bytes >= context.stepsFrom else { return }
        guard let total = job.totalBytes else {
            if ProgressSteps.deservesLine(bytes: bytes, logged: job.loggedBytes) { emitBytes(in: &context) }
            return
        }
        guard let steps = ProgressSteps.reached(bytes: bytes, total: total, logged: job.loggedSteps) else {
            return
        }
        job.loggedSteps = steps.upperBound
        for step in steps { context.emit(.progressed(name: job.name, percent: step * 10)) }
    }

    /// Reports the bytes received of a file of unknown length.
    mutating func emitBytes(in context: inout JobContext) {
        job.loggedBytes = job.bytes
        context.emit(.received(name: job.name, bytes: job.bytes))
    }

    /// Forgets everything known about the partial's content.
    mutating func forgetPartial() {
        trust.forget(boot: job.partialBoot)
        job.partialBoot = nil
        job.bytes = 0
        job.durableBytes = 0
        job.segments = nil
        job.totalBytes = nil
        job.validator = nil
        job.lengthUnproven = false
        job.response = nil
        job.loggedBytes = 0
        job.hasFinished = false
    }

    /// Forgets the partial and asks for its removal.
    mutating func discardPartial(in context: inout JobContext) {
        forgetPartial()
        context.perform(.discardPartial)
    }

    /// Discards a partial after a failed sync.
    ///
    /// The kernel may have dropped what was written and still marked the pages clean, so that no later
    /// sync would report it (fsync(2), EIO).
    mutating func discardBadPartial(
        because reason: String = "what was written could not be synced to the disk",
        in context: inout JobContext
    ) {
        trust.isBad = false
        discardPartial(in: &context)
        if !job.state.isFinal { context.emit(.restarted(name: job.name, reason: reason)) }
    }

    /// Records that an idle partial has been synced up to `length`.
    mutating func synced(length: Int64) {
        // Only if nothing has been written to it since.
        guard job.path == nil, job.segments == nil, job.bytes == length else { return }
        job.durableBytes = length
    }

    /// Records how much of the partial was synced when the daemon stopped in the middle of a transfer.
    mutating func settled(length: Int64) {
        // Otherwise the partial has not yet been cut to the part that can be trusted.
        guard trust.isOfThisRun else { return }
        // If the partial has holes, its map says what is on the disk, not its length.
        guard job.segments == nil else { return }
        job.bytes = length
        job.durableBytes = length
    }
}

extension Job {
    /// The host and port that the partial's first bytes came from; nil if that isn't known.
    fileprivate var hostOfPartial: String? {
        guard let response else { return nil }
        return (response.finalURL.map { try? JobURL($0) } ?? url)?.hostKey
    }
}
