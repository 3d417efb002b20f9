import JobCore
import JobModel

/// The streams that fetch one large file together, and what they have fetched.
///
/// A crew begins as one stream, and stays so while that is fast enough. Its first slot, the lead, stays with it
/// from beginning to end, even without a stream of its own, and lends the others its cookies. The type is explicitly not Sendable: it lives and dies on the transfer thread.
final class SegmentCrew {
    /// A number that distinguishes crews of the same job.
    let number: Int
    let transfer: Transfer
    /// The slot that the transfer began with.
    let lead: TransferSlot
    let validator: Validator
    /// The host and port that the file's first bytes came from.
    private let host: String?
    var plan: SegmentPlan
    /// The slots at work, by stream.
    var slots: [Int: TransferSlot] = [:]
    /// The redirects that further streams follow at once, unless the server has behaved strangely.
    var trail: RedirectTrail
    /// The milliseconds that its first answer took.
    let answerTime: Int64
    /// The state of splitting: whether there may be more than one stream.
    var splitting: Splitting
    private var speeds = StreamSpeeds()
    /// The connections that streams have left and that others may go on over, as far as is known.
    var idleConnections = 0
    /// True if something has changed since the last look, so that another stream may find work.
    var mayGrow = true

    /// The time through which its streams have been bringing bytes.
    var arrivals = ArrivalSpan()
    /// The map being synced, if any.
    var syncing: SegmentMap?
    let disk = SegmentDisk()
    /// The number of bytes in the partial at the last sync; and below, when that began, in milliseconds.
    var syncedCount: Int64
    var syncedAt: Int64
    /// The bytes in maps that have been reported but not confirmed to be in the store, in order.
    var unconfirmedCounts: [Int64] = []
    /// The number of bytes that can't be lost.
    var safeCount: Int64
    /// The partial's identity in the table of segments; nil if there is no table.
    var subject: SegmentTable.Subject?
    /// The number of bytes when the map was last to be noted in that table, and when that was, in
    /// milliseconds; -1 for never.
    var notedCount: Int64 = -1
    var notedAt: Int64 = 0
    /// True if the table has the map, so that a kill costs next to nothing.
    var isNoted = false
    /// True if a map has been reported.
    var hasReported: Bool
    /// The reason why nothing more can be written, if there is one.
    var failure: TransferEnd?
    /// The end of the transfer, to be reported once everything before it is on the disk.
    var end: TransferEnd?

    /// The stages from one stream to several.
    enum Splitting: Equatable {
        /// There will never be more than one stream.
        case never
        /// There is one stream, whose speed is being measured: it had `count` bytes at this time in
        /// milliseconds.
        case watched(since: Int64, count: Int64)
        /// There is one stream, which isn't fast enough; the store must have a map before bytes may be
        /// written anywhere.
        case asked
        /// A map is in the store, so there may be several streams.
        case allowed
    }

    init(
        number: Int,
        lead: TransferSlot,
        plan: SegmentPlan,
        validator: Validator,
        splitting: Splitting,
        answerTime: Int64,
        now: Int64
    ) {
        self.answerTime = answerTime
        self.number = number
        self.lead = lead
        transfer = lead.transfer
        self.plan = plan
        self.validator = validator
        self.splitting = splitting
        trail = lead.trail
        // What came before this request; of what came with it, nothing has been synced.
        let resume = transfer.request.resume
        host = resume.map(\.host) ?? lead.trail.hostKey
        let unsynced = resume?.unsyncedCount ?? 0
        syncedCount = resume.map { ($0.held?.count ?? $0.offset) - unsynced } ?? 0
        syncedAt = now
        safeCount = syncedCount
        hasReported = splitting == .allowed && unsynced == 0
    }

    /// The number of bytes that have arrived in all.
    var count: Int64 { plan.held.count }

    /// True if one of its streams has an answer.
    var hasAnswer: Bool { slots.values.contains(where: \.hasAnswer) }

    /// True if there may be several streams.
    var maySplit: Bool { splitting == .allowed }

    /// True if a map, instead of the partial's length, says what it holds.
    var hasMap: Bool { splitting == .asked || splitting == .allowed }

    /// True if something must be done for this crew after some time.
    var isTimed: Bool {
        if case .watched = splitting { return true }
        if maySplit, plan.hasRoom { return true }
        return syncing == nil && count != syncedCount
    }

    /// Notes how fast its streams are, and that one without work may find some since another has become slow.
    func watchSpeeds(now: Int64) {
        guard maySplit, speeds.look(at: plan.offsets, now: now), plan.hasRoom else { return }
        mayGrow = true
    }

    /// Returns the bytes per millisecond that a stream has brought of late; nil where that isn't known.
    func rate(of stream: Int) -> Double? { speeds.rate(of: stream) }

    /// Returns the end of the transfer if its only remaining stream gets this answer.
    func end(for verdict: ResponseVerdict?) -> TransferEnd {
        switch verdict {
        case .interrupted(let failure, let retryAfter): return .interrupted(failure, retryAfter: retryAfter)
        case .busy(let failure, _): return .interrupted(failure, retryAfter: nil)
        case .refused(let failure): return .refused(failure)
        case .mustRestart(let reason): return restart(reason)
        case .acceptIfPicture(_, let refusal):
            // A page about the file is no reason to give up what there is of it.
            return .interrupted(refusal, retryAfter: nil)
        case .accept(let start):
            if case .restarted(let reason) = start.mode { return restart(reason) }
            return restart("the server sent something other than the part that was requested")
        case .redirect, .complete, nil:
            return restart("the server sent something other than the part that was requested")
        }
    }

    /// Returns the end for a transfer that must ask again: one that began with the whole file can't be
    /// told to ask for it, so it is retried later with what it has.
    private func restart(_ reason: String) -> TransferEnd {
        transfer.request.resume == nil
            ? .interrupted(JobFailure(.protocolError, reason), retryAfter: nil) : .mustRestart(reason: reason)
    }

    /// Returns the part of the file to request for a stream.
    func part(of stream: Int) -> RequestedPart {
        let rest = plan.rest(of: stream)
        let point = ResumePoint(offset: rest.lowerBound, total: plan.total, validator: validator, host: host)
        return RequestedPart(point: point, end: rest.upperBound)
    }
}

/// The part of a file that a request asks for.
struct RequestedPart {
    /// The first byte, with the proof that the file is the same.
    var point: ResumePoint
    /// The offset after the last byte; nil for everything that follows.
    var end: Int64?

    /// Creates the first part of a resume: up to the end of its first hole.
    init(_ resume: ResumePoint) {
        point = resume
        // Open-ended if possible, so that it can bring everything if no other stream succeeds.
        let hole = resume.held.flatMap { held in resume.total.flatMap { held.holes(to: $0).first } }
        end = hole.flatMap { $0.upperBound == resume.total ? nil : $0.upperBound }
    }

    init(point: ResumePoint, end: Int64?) {
        self.point = point
        self.end = end
    }

    /// The value of the Range field (RFC 9110 §14.2).
    var headerValue: String { "bytes=\(point.offset)-" + (end.map { String($0 - 1) } ?? "") }
}
