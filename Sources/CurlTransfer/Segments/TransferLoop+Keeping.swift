import Dispatch
import Glibc
import JobCore

/// Keeps track of the bytes of a large partial that would survive a crash.
///
/// Of one stream, all of them survive a kill, and those that were synced a power cut. Of
/// several, only those that a map in the store claims: what is told has been synced before,
/// so it holds after a kill and after a power cut alike. A transfer that is too far ahead of
/// the disk, or of the store, waits.
extension TransferLoop {
    /// Begins a sync of every crew that has enough to keep.
    func keepCrews() {
        for crew in crews where crew.isDue(now: now) { keep(crew) }
    }

    /// Syncs what a crew has so far, on a thread that may wait for the disk.
    func keep(_ crew: SegmentCrew) {
        guard let file = crew.lead.file?.file else { return kept(crew, EBADF) }
        crew.syncing = crew.plan.held
        crew.syncedAt = now
        let (job, number, mailbox) = (crew.lead.job, crew.number, mailbox)
        crew.disk.sync(file) { mailbox.send(.synced(job, crew: number, errorNumber: $0)) }
    }

    /// The disk has a crew's bytes, or has not.
    func synced(_ job: JobID, crew number: Int, _ errorNumber: Int32) {
        guard let crew = active[job]?.crew, crew.number == number else { return }
        kept(crew, errorNumber)
    }

    private func kept(_ crew: SegmentCrew, _ errorNumber: Int32) {
        if let map = crew.syncing, errorNumber == 0 {
            crew.syncing = nil
            tell(map, of: crew)
        } else {
            lose(crew, errorNumber)
        }
        guard let end = crew.end else { return }
        // What came while the disk was at work is to be kept as well.
        if crew.hasUntoldBytes { keep(crew) } else { finish(crew, end) }
    }

    private func tell(_ map: SegmentMap, of crew: SegmentCrew) {
        crew.syncedCount = map.count
        if crew.hasMap {
            crew.hasTold = true
            crew.unconfirmedCounts.append(map.count)
            reports.append((crew.lead.job, .kept(map)))
        } else {
            crew.safeCount = map.count
            reports.append((crew.lead.job, .synced(bytes: map.prefix)))
        }
    }

    private func lose(_ crew: SegmentCrew, _ errorNumber: Int32) {
        dismiss(crew)
        crew.lead.file?.empty()
        crew.syncing = nil
        crew.plan = SegmentPlan(total: crew.plan.total, held: SegmentMap(), limit: 1)
        crew.syncedCount = 0
        crew.end = PartialError.system(errorNumber).endOfSync
    }

    /// Ends a crew's transfer: at once where the disk has what it must, else when it does.
    func endCrew(_ crew: SegmentCrew, _ end: TransferEnd) {
        guard crew.end == nil else { return }
        dismiss(crew)
        crew.end = end
        guard crew.syncing == nil else { return }
        if crew.hasUntoldBytes { keep(crew) } else { finish(crew, end) }
    }

    private func finish(_ crew: SegmentCrew, _ end: TransferEnd) {
        crews.removeAll { $0 === crew }
        self.end(crew.lead, end)
    }

    /// Tells for the last time what segments hold: no transfer goes on after it.
    func keepAtEnd() {
        let deadline = DispatchTime.now() + .seconds(2)
        for crew in crews {
            dismiss(crew)
            if crew.hasMap, let file = crew.lead.file?.file {
                crew.disk.sync(file) { _ in }
            }
        }
        for crew in crews {
            switch crew.disk.wait(until: deadline) {
            case 0: if crew.hasMap { reports.append((crew.lead.job, .kept(crew.plan.held))) }
            case nil: break
            case let number?:
                let end = PartialError.system(number).endOfSync
                reports.append((crew.lead.job, .ended(end)))
            }
        }
        deliver()
    }
}

extension SegmentCrew {
    /// Bytes that may arrive before they are synced and told of, where a map says what is held.
    ///
    /// A fraction of the limit, so that the next are on their way to the disk while the store
    /// takes the last.
    private static let keepingLength: Int64 = 2 << 20
    /// Bytes beyond those that are safe at which a crew with a map waits.
    ///
    /// A kill may cost 8 MiB; the rest is what the connections hold that are waiting.
    private static let lossLimit: Int64 = 7 << 20
    /// The same where a kill costs nothing, and only a power cut does.
    private static let streamKeepingLength: Int64 = 64 << 20
    private static let streamLossLimit: Int64 = 256 << 20
    /// Bytes that are worth a sync when a second has passed.
    private static let streamInterval: (milliseconds: Int64, length: Int64) = (1000, 8 << 20)

    /// Whether it is time for a sync.
    func isDue(now: Int64) -> Bool {
        guard syncing == nil, end == nil else { return false }
        let news = count - syncedCount
        let waited = now - syncedAt
        guard hasMap else {
            return news >= Self.streamKeepingLength
                || (news >= Self.streamInterval.length && waited >= Self.streamInterval.milliseconds)
        }
        return !hasTold || news >= Self.keepingLength || (news > 0 && waited >= 1000)
    }

    /// Whether more bytes would be lost by a kill than may be.
    var isAhead: Bool { count - safeCount >= (hasMap ? Self.lossLimit : Self.streamLossLimit) }

    /// Whether bytes arrived that only another map can save.
    var hasUntoldBytes: Bool { hasMap && count != syncedCount }
}
