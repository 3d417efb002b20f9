import Dispatch
import Glibc
import JobCore

/// How it is known which bytes of a sparse partial survive: what is told has
/// been synced before, so it holds after a kill and after a power cut alike.
extension TransferLoop {
    /// Bytes that may arrive before they are synced and told of.
    ///
    /// Half of what a kill may cost; the other half arrives while the disk is at work.
    static let keepingLength: Int64 = 4 << 20
    /// Milliseconds after which fewer bytes are worth it.
    static let keepingInterval: Int64 = 1000

    /// Begins a sync of every crew that has enough to keep.
    func keepCrews() {
        for crew in crews where crew.syncing == nil && crew.end == nil {
            let isFirst = crew.syncedCount < 0
            let news = crew.count - crew.syncedCount
            if isFirst || news >= Self.keepingLength
                || (news > 0 && now - crew.syncedAt >= Self.keepingInterval)
            {
                keep(crew)
            }
        }
    }

    /// Syncs what a crew has so far, on a thread that may wait for the disk.
    func keep(_ crew: SegmentCrew) {
        guard let file = crew.lead.file?.duplicate() else { return kept(crew, errno) }
        crew.syncing = crew.plan.held
        crew.syncedAt = now
        let (job, number, mailbox) = (crew.lead.job, crew.number, mailbox)
        Self.disk.async {
            let result = fdatasync(file) == 0 ? 0 : errno
            close(file)
            mailbox.send(.synced(job, crew: number, errorNumber: result))
        }
    }

    /// The disk has a crew's bytes, or has not.
    func synced(_ job: JobID, crew number: Int, _ errorNumber: Int32) {
        guard let crew = active[job]?.crew, crew.number == number else { return }
        kept(crew, errorNumber)
    }

    private func kept(_ crew: SegmentCrew, _ errorNumber: Int32) {
        if let map = crew.syncing, errorNumber == 0 {
            crew.syncing = nil
            crew.syncedCount = map.count
            reports.append((crew.lead.job, .kept(map)))
        } else {
            lose(crew, errorNumber)
        }
        guard let end = crew.end else { return }
        // What came while the disk was at work is to be kept as well.
        if crew.hasNews { keep(crew) } else { finish(crew, end) }
    }

    /// A failed sync is final: the kernel may have dropped the data and called
    /// the pages clean (fsync(2)), so that nothing in the partial can be believed.
    private func lose(_ crew: SegmentCrew, _ errorNumber: Int32) {
        dismiss(crew)
        crew.lead.file?.empty()
        crew.syncing = nil
        crew.plan = SegmentPlan(total: crew.plan.total, held: SegmentMap(), limit: 1)
        crew.syncedCount = 0
        reports.append((crew.lead.job, .kept(SegmentMap())))
        crew.end = PartialError.system(errorNumber).end
    }

    /// Ends a crew's transfer: at once where the disk has it all, else when it does.
    func endCrew(_ crew: SegmentCrew, _ end: TransferEnd) {
        guard crew.end == nil else { return }
        dismiss(crew)
        crew.end = end
        guard crew.syncing == nil else { return }
        if crew.hasNews { keep(crew) } else { finish(crew, end) }
    }

    private func finish(_ crew: SegmentCrew, _ end: TransferEnd) {
        crews.removeAll { $0 === crew }
        self.end(crew.lead, end)
    }

    private static let disk = DispatchQueue(
        label: "facefetch.segments",
        qos: .utility,
        attributes: .concurrent
    )
}
