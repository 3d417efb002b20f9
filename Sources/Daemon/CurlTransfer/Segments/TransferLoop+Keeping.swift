import Dispatch
import Glibc
import JobModel
import Vocabulary

/// Tracking which bytes of a large partial would survive a crash.
///
/// With one stream, all bytes survive a kill, and those that were synced survive a power cut. With
/// several streams, those survive a kill that a map claims, be it in the store or in the table of segments.
/// What is reported to the store has been synced before, so it survives both. A transfer that is too far
/// ahead of the disk or the store waits.
extension TransferLoop {
    /// Notes what every crew holds that has new bytes, and begins to sync every one that has enough of them.
    func keepCrews() {
        for crew in crews {
            if crew.isWorthNoting(now: now) { note(crew) }
            if crew.isDue(now: now) { keep(crew) }
        }
    }

    /// Makes sure that the note of a crew's partial is true before anything is written to it.
    func prepareNotes(_ crew: SegmentCrew) {
        guard let segmentTable else { return }
        if let descriptor = crew.transfer.file?.file.descriptor {
            crew.subject = SegmentTable.Subject(
                of: crew.transfer.job,
                descriptor: descriptor,
                total: crew.plan.total,
                validator: crew.validator
            )
        }
        if crew.subject == nil {
            record(segmentTable.remove(crew.transfer.job), of: crew)
        } else if crew.hasMap {
            note(crew)
        }
    }

    /// Notes what a crew holds, for the case that the daemon is killed.
    private func note(_ crew: SegmentCrew) {
        guard let segmentTable, let subject = crew.subject else { return }
        crew.notedCount = crew.count
        crew.notedAt = now
        record(segmentTable.note(crew.plan.held, of: subject), of: crew)
    }

    private func record(_ outcome: SegmentTable.Outcome, of crew: SegmentCrew) {
        crew.isNoted = outcome == .noted
        guard outcome == .allLost else { return }
        for other in crews where other !== crew && other.isNoted {
            other.isNoted = false
            other.notedCount = -1
        }
    }

    /// Syncs a crew's bytes on a thread that may wait for the disk.
    func keep(_ crew: SegmentCrew) {
        guard let file = crew.transfer.file?.file else { return kept(crew, EBADF) }
        crew.syncing = crew.plan.held
        crew.syncedAt = now
        let (job, number, mailbox) = (crew.transfer.job, crew.number, mailbox)
        crew.disk.sync(file) { mailbox.send(.synced(job, crew: number, errorNumber: $0)) }
    }

    /// Handles the result of syncing a crew's bytes.
    func synced(_ job: JobID, crew number: Int, _ errorNumber: Int32) {
        guard let crew = active[job]?.transfer.crew, crew.number == number else { return }
        kept(crew, errorNumber)
    }

    private func kept(_ crew: SegmentCrew, _ errorNumber: Int32) {
        if let map = crew.syncing, errorNumber == 0 {
            crew.syncing = nil
            report(map, of: crew)
        } else {
            lose(crew, errorNumber)
        }
        guard let end = crew.end else { return }
        // Bytes that have arrived during the sync must be synced as well.
        if crew.hasUntoldBytes { keep(crew) } else { finish(crew, end) }
    }

    private func report(_ map: SegmentMap, of crew: SegmentCrew) {
        crew.syncedCount = map.count
        if crew.hasMap {
            crew.hasReported = true
            crew.unconfirmedCounts.append(map.count)
            reports.append((crew.transfer.job, .kept(map)))
        } else {
            crew.safeCount = map.count
            reports.append((crew.transfer.job, .synced(bytes: map.prefix)))
        }
    }

    private func lose(_ crew: SegmentCrew, _ errorNumber: Int32) {
        dismiss(crew)
        crew.transfer.file?.empty()
        crew.syncing = nil
        crew.plan = SegmentPlan(total: crew.plan.total, held: SegmentMap(), limit: 1)
        crew.syncedCount = 0
        crew.end = PartialError.system(errorNumber).endOfSync
    }

    /// Ends a crew's transfer, either at once or when the disk has what it must.
    func endCrew(_ crew: SegmentCrew, _ end: TransferEnd) {
        guard crew.end == nil else { return }
        dismiss(crew)
        // The disk may take long.
        if crew.hasMap { note(crew) }
        crew.end = end
        guard crew.syncing == nil else { return }
        if crew.hasUntoldBytes { keep(crew) } else { finish(crew, end) }
    }

    private func finish(_ crew: SegmentCrew, _ end: TransferEnd) {
        crews.removeAll { $0 === crew }
        segmentTable?.release(crew.transfer.job)
        self.end(crew.lead, end)
    }

    /// Reports for the last time what segments hold, before all transfers end.
    func keepAtEnd() {
        let deadline = DispatchTime.now() + .seconds(2)
        for crew in crews {
            dismiss(crew)
            if crew.hasMap, let file = crew.transfer.file?.file {
                crew.disk.sync(file) { _ in }
            }
        }
        for crew in crews {
            switch crew.disk.wait(until: deadline) {
            case 0: if crew.hasMap { reports.append((crew.transfer.job, .kept(crew.plan.held))) }
            case nil: break
            case let number?:
                let end = PartialError.system(number).endOfSync
                reports.append((crew.transfer.job, .ended(end)))
            }
        }
        deliver()
    }
}

extension SegmentCrew {
    /// The bytes after which a crew with a map that isn't noted syncs and reports.
    ///
    /// It is a fraction of the limit, so that further bytes are on their way to the disk while the store
    /// takes the last ones.
    private static let keepingLength: Int64 = 2 << 20
    /// The number of unsafe bytes at which such a crew waits.
    private static let lossLimit: Int64 = 7 << 20
    /// The bytes after which a crew with a map that is noted syncs and reports.
    ///
    /// It loses nothing by a kill, but what is in the store can be hashed.
    private static let notedKeepingLength: Int64 = 8 << 20
    /// The bytes after which a single stream syncs, which loses nothing by a kill either.
    private static let streamKeepingLength: Int64 = 64 << 20
    private static let streamLossLimit: Int64 = 256 << 20
    /// The number of bytes not synced at which a crew that is noted waits: when the daemon stops, all of them
    /// have two seconds to reach the disk.
    private static let notedLossLimit: Int64 = 64 << 20
    /// The bytes after which a map is noted, and the milliseconds after which it is, however few they are.
    private static let noteInterval: (milliseconds: Int64, length: Int64) = (100, 256 << 10)
    /// The bytes that are worth a sync after a second has passed.
    private static let streamInterval: (milliseconds: Int64, length: Int64) = (1000, 8 << 20)

    /// Returns whether it is time for a sync.
    func isDue(now: Int64) -> Bool {
        guard syncing == nil, end == nil else { return false }
        let news = count - syncedCount
        let waited = now - syncedAt
        guard hasMap else {
            return news >= Self.streamKeepingLength
                || (news >= Self.streamInterval.length && waited >= Self.streamInterval.milliseconds)
        }
        let length = isNoted ? Self.notedKeepingLength : Self.keepingLength
        return !hasReported || news >= length || (news > 0 && waited >= 1000)
    }

    /// Returns whether it is time to note the map.
    func isWorthNoting(now: Int64) -> Bool {
        guard hasMap, end == nil, subject != nil else { return false }
        let news = count - notedCount
        return notedCount < 0 || news >= Self.noteInterval.length
            || (news > 0 && now - notedAt >= Self.noteInterval.milliseconds)
    }

    /// True if a kill, or a power cut, would lose more bytes than it may.
    var isAhead: Bool { count - safeCount >= limit }

    private var limit: Int64 {
        guard hasMap else { return Self.streamLossLimit }
        return isNoted ? Self.notedLossLimit : Self.lossLimit
    }

    /// True if bytes have arrived that only another map can save.
    var hasUntoldBytes: Bool { hasMap && count != syncedCount }
}
