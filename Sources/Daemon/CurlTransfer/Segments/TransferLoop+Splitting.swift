import Glibc
import JobModel
import Vocabulary

/// Turning a transfer into a crew, and finding those for which one stream is too slow.
extension TransferLoop {
    /// The milliseconds of a round trip from which on a new connection is not watched first.
    ///
    /// In a time of `watchInterval` slow start (RFC 5681, section 3.1) can't get it to
    /// ``SegmentPlan/sufficientRate`` from ten segments (RFC 6928): that takes ten round trips.
    static let farTime: Int64 = 20
    /// The seconds that a link has to be good for at least for its file to be asked for piece after piece.
    private static let longestExpiry: Double = 24 * 3600

    /// Turns a transfer whose body has just been accepted into a crew, if that is worth it, or has its speed watched.
    func formCrew(_ slot: TransferSlot, _ start: TransferStart) {
        let resumed = slot.request.resume?.held
        guard let total = start.total, let validator = start.validator else { return }
        let answerTime = now - slot.sending.time
        if resumed == nil {
            // No more ranges for a server that has just answered one with the whole file.
            if case .restarted = start.mode { return }
            guard !slot.answer.reader.head.refusesRanges else { return }
            // Of a part that ends early, the rest is asked for.
            guard total > SegmentPlan.threshold || slot.answer.reader.head.partEnd.map({ $0 < total }) == true
            else {
                slot.transfer.speed = BodySpeed(count: start.offset, answerTime: answerTime, now: now)
                return
            }
        } else {
            guard case .resumed = start.mode else { return }
        }
        let offset = slot.request.resume?.offset ?? 0
        let plan = plan(for: slot, total, holding: resumed ?? SegmentMap(prefix: offset))
        let splitting: SegmentCrew.Splitting =
            if resumed != nil {
                .allowed
            } else if plan.limit == 1 {
                .never
            } else if plan.canBeSplit, let time = slot.connectTime, time >= Self.farTime {
                .asked
            } else {
                .watched(since: now, count: offset)
            }
        begin(plan, at: offset, splitting, with: slot, validator, answerTime: answerTime)
    }

    /// Turns transfers of smaller files into crews where the rest would take long in one stream.
    ///
    /// Only while there are few of them: many files at once fill a line as well, and ask each server for less.
    func splitSlowFiles() {
        guard active.count < configuration.segments, bucket == nil, !isHeld else { return }
        for slot in active.values where slot.stream == nil {
            let transfer = slot.transfer
            guard let length = transfer.file?.length, let start = transfer.start, let total = start.total,
                let validator = start.validator, let answerTime = transfer.speed?.answerTime,
                transfer.speed?.isSlow(at: length, of: total, now: now) == true
            else { continue }
            let url = slot.trail.current
            guard transfer.bucket == nil, slot.hostRate?.bucket == nil, pace(of: url) == nil,
                slotsAtWork.count < configuration.segments, roomForConnections(to: url) > 0
            else { continue }
            let plan = plan(for: slot, total, holding: SegmentMap(prefix: length))
            guard plan.canBeSplit else { continue }
            transfer.speed = nil
            begin(plan, at: length, .asked, with: slot, validator, answerTime: answerTime)
        }
    }

    /// Returns a plan for a file of which this much is there.
    private func plan(for slot: TransferSlot, _ total: Int64, holding held: SegmentMap) -> SegmentPlan {
        // No more than it has served before.
        let served = hosts.mostStreams(from: slot.trail.hostKey, now: now)
        let limit = min(configuration.segments, served ?? .max)
        return SegmentPlan(
            total: total,
            held: held,
            limit: limit,
            timeToAnswer: slot.timeToAnswer,
            expires: expiresSoon(slot.trail.home)
        )
    }

    /// Returns whether a link says itself that it expires while a file may still be coming.
    private func expiresSoon(_ link: JobURL) -> Bool {
        let wall = Timestamp(microseconds: Self.milliseconds(of: CLOCK_REALTIME) * 1000)
        return link.expiry.map { $0 < wall.adding(seconds: Self.longestExpiry) } ?? false
    }

    /// Has a crew take over a transfer whose body comes from this offset on.
    private func begin(
        _ plan: SegmentPlan,
        at offset: Int64,
        _ splitting: SegmentCrew.Splitting,
        with slot: TransferSlot,
        _ validator: Validator,
        answerTime: Int64
    ) {
        // Else the next stream would take its connection for one without anything to do.
        let host = slot.trail.hostKey
        if slot.leg == nil, !slot.isApart, !usesProxy, hosts.shares(host) {
            slot.leg = hosts.lanes(of: host).adopt()
        }
        let head = slot.answer.reader.head
        var plan = plan
        let stream = plan.join(
            at: offset,
            reach: head.status == 206 ? head.partEnd ?? plan.total : plan.total
        )
        crewCount += 1
        let crew = SegmentCrew(
            number: crewCount,
            lead: slot,
            plan: plan,
            validator: validator,
            splitting: splitting,
            answerTime: answerTime,
            now: now
        )
        crew.slots[stream] = slot
        slot.transfer.crew = crew
        slot.stream = TransferSlot.Stream(crew: crew, number: stream)
        crews.append(crew)
        prepareNotes(crew)
    }

    /// Handles a confirmation that a transfer's report is in the store: it may start from zero, or
    /// split.
    func confirm(_ job: JobID) {
        guard let slot = active[job] else { return }
        if let replacement = slot.transfer.replacement { return replace(slot, with: replacement) }
        guard let crew = slot.transfer.crew, !crew.unconfirmedCounts.isEmpty else { return }
        crew.safeCount = crew.unconfirmedCounts.removeFirst()
        crew.splitting = .allowed
    }

    /// Finds the crews for which one stream is not enough, and those of which one has become slow.
    func watchCrews() {
        for crew in crews {
            crew.watchSpeeds(now: now)
            if crew.plan.endRests(now: now) { crew.mayGrow = true }
            guard case .watched(let since, let count) = crew.splitting, now - since >= Self.watchInterval
            else { continue }
            let isSlow = crew.plan.isWorthSplitting(after: crew.count - count, in: now - since)
            // Unless it is the disk that is slow.
            crew.splitting =
                isSlow && !crew.isAhead && crew.end == nil ? .asked : .watched(since: now, count: crew.count)
        }
    }
}
