import JobCore
import JobModel
import Vocabulary

/// Going on after the end of an earlier run of the daemon.
extension Workbench {
    /// Resumes the work left when the daemon ended.
    func takeUp(_ stored: StoredState, now: Moment) throws(StoreFailure) {
        for lease in stored.leases { leases.takeUp(lease.batch, seconds: lease.seconds) }
        for document in stored.evictables { evictables.put(document) }
        for job in stored.broken { reportFailure(of: job, now: now) }
        let documents = try documentsUnknown(to: stored)
        for job in documents {
            queues.transfers.remove(job.id)
            takeUp(job, now: now)
        }
        let known = Set(documents.map(\.id))
        for job in stored.unfinished where !known.contains(job.id) { takeUp(job, now: now) }
    }

    private func takeUp(_ job: Job, now: Moment) {
        bring(job)
        let publication = job.reservation.map { ports.documents.publication(of: job.id, $0) }
        // The job is in memory, so the store isn't asked and can't fail.
        _ = try? step(job.id, .recovered(publication), now: now)
        // Its host has asked everybody to wait, and not only those who asked before; where it was another one that the
        // host has led to, that is all the same to the host.
        if let job = jobs[job.id]?.job, job.state == .waiting, job.toldOf.contains(.host),
            !job.toldOf.contains(.otherHost), let waiting = job.waiting
        {
            queues.transfers.restoreHold(
                of: job.url.hostKey,
                until: waiting.until,
                because: HostWaitKind(waiting.reason.code),
                reason: waiting.reason.message
            )
        }
    }

    /// Returns the jobs whose bodies became documents just before a crash, each with the name that it then
    /// got as its reservation.
    private func documentsUnknown(to stored: StoredState) throws(StoreFailure) -> [Job] {
        let documents = ports.documents.unconfirmedDocuments()
        guard !documents.isEmpty else { return [] }
        // The first commit stores these documents.
        for job in documents.keys { noteStored(job) }
        return try ports.store.jobs(documents.keys.sorted()).compactMap { job in
            guard let document = documents[job.id], job.path == nil, job.reservation == nil else {
                return nil
            }
            switch job.state {
            case .queued, .downloading, .paused, .cancelled: break
            case .waiting, .stored, .detecting, .done, .failed: return nil
            }
            var job = job
            job.reservation = document.reservation
            // The store's version of it, if there is one, is older.
            job.validator = document.validator
            job.response = document.response
            return job
        }
    }
}
