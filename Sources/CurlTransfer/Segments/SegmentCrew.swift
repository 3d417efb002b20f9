import JobCore

/// The streams that fetch one large file together, and what they have so far.
///
/// It begins as one stream, and stays so while that is fast enough.
/// To everybody else it is one transfer: its first slot, the lead, stands for
/// it from beginning to end, also while it has no stream of its own.
/// Explicitly not Sendable: it lives and dies on the transfer thread.
final class SegmentCrew {
    /// Tells this crew from another of the same job.
    let number: Int
    /// Holds the partial, and what is told of progress.
    let lead: TransferSlot
    let validator: Validator
    var plan: SegmentPlan
    /// The slots at work, by their streams.
    var slots: [Int: TransferSlot] = [:]
    /// Where further streams ask; not sent there again once the server behaved strangely.
    var trail: RedirectTrail
    /// The rate that all streams share.
    var bucket: RateBucket?
    /// Whether there may be more streams than one.
    var splitting: Splitting
    /// Whether another stream may find work: something has changed since the last look.
    var mayGrow = true

    /// What is being synced, and the outcome of it.
    var syncing: SegmentMap?
    let disk = SegmentDisk()
    /// The bytes that were in the partial when it was last synced, and when that began, in milliseconds.
    var syncedCount: Int64
    var syncedAt: Int64
    /// The bytes in maps that were told and are not known to be in the store yet, in their order.
    var unconfirmedCounts: [Int64] = []
    /// The bytes that are sure not to be lost.
    var safeCount: Int64
    /// Whether a map has been told.
    var hasTold: Bool
    /// Why nothing more can be written.
    var failure: TransferEnd?
    /// How the transfer ends, once the disk has what is to be told before.
    var end: TransferEnd?

    /// The way from one stream to several.
    enum Splitting: Equatable {
        /// There is one stream, and never more.
        case never
        /// There is one stream, whose speed is taken: so many bytes there were at this time, in
        /// milliseconds.
        case watched(since: Int64, count: Int64)
        /// There is one stream that is not fast enough; the store is to have a map first, and
        /// then bytes may be written anywhere.
        case asked
        /// A map is in the store.
        case allowed
    }

    init(
        number: Int,
        lead: TransferSlot,
        plan: SegmentPlan,
        validator: Validator,
        splitting: Splitting,
        now: Int64
    ) {
        self.number = number
        self.lead = lead
        self.plan = plan
        self.validator = validator
        self.splitting = splitting
        trail = lead.trail
        bucket = lead.bucket
        syncedCount = plan.held.count
        syncedAt = now
        safeCount = plan.held.count
        hasTold = splitting == .allowed
    }

    /// Bytes that have arrived in all.
    var count: Int64 { plan.held.count }

    /// Whether several streams may be at work.
    var maySplit: Bool { splitting == .allowed }

    /// Whether a map, and not the partial's length, says what it holds.
    var hasMap: Bool { splitting == .asked || splitting == .allowed }

    /// Whether something is to be done for it when time has passed.
    var isTimed: Bool {
        if case .watched = splitting { return true }
        return syncing == nil && count != syncedCount
    }

    /// How the transfer ends when the only stream it has left is answered like this.
    func end(for verdict: ResponseVerdict?) -> TransferEnd {
        switch verdict {
        case .interrupted(let failure, let retryAfter): return .interrupted(failure, retryAfter: retryAfter)
        case .refused(let failure): return .refused(failure)
        case .mustRestart(let reason): return restart(reason)
        case .accept(let start):
            if case .restarted(let reason) = start.mode { return restart(reason) }
            return restart("the server sent something other than the part that was requested")
        case .redirect, .complete, nil:
            return restart("the server sent something other than the part that was requested")
        }
    }

    /// A transfer that began with the whole file can't be told to ask for it:
    /// it comes again, after a while, with what it has.
    private func restart(_ reason: String) -> TransferEnd {
        lead.request.resume == nil
            ? .interrupted(JobFailure(.protocolError, reason), retryAfter: nil) : .mustRestart(reason: reason)
    }

    /// What to ask a server for on behalf of a stream.
    func part(of stream: Int) -> RequestedPart {
        let rest = plan.rest(of: stream)
        let point = ResumePoint(offset: rest.lowerBound, total: plan.total, validator: validator)
        return RequestedPart(point: point, end: rest.upperBound)
    }
}

/// The part of a file that a request asks for.
struct RequestedPart {
    /// The first byte, and what proves that the file is the same.
    var point: ResumePoint
    /// The byte after the last; nil asks for all that follows.
    var end: Int64?

    /// The part that a request to go on begins with: up to the end of its first hole.
    init(_ resume: ResumePoint) {
        point = resume
        // Open at the end where it can be: should no other stream succeed, this one brings it all.
        let hole = resume.held.flatMap { held in resume.total.flatMap { held.holes(to: $0).first } }
        end = hole.flatMap { $0.upperBound == resume.total ? nil : $0.upperBound }
    }

    /// A part with its bounds.
    init(point: ResumePoint, end: Int64?) {
        self.point = point
        self.end = end
    }

    /// The Range field's value (RFC 9110 §14.2).
    var headerValue: String { "bytes=\(point.offset)-" + (end.map { String($0 - 1) } ?? "") }
}
