import JobModel

/// The way from a complete partial to a published document.
extension JobDraft {
    /// Goes on with a partial that is complete and synced, and for which there is a free name.
    mutating func sealed(
        _ partial: SealedPartial,
        path: String,
        freeName: String,
        in context: inout JobContext
    ) -> JobActivity {
        if trust.isBad {
            discardBadPartial(in: &context)
            if job.state == .downloading { requeue(in: &context) }
            return .idle
        }
        switch job.state {
        case .downloading: break
        case .queued:
            context.move(.enqueueTransfer)
            return .idle
        case .cancelled:
            discardPartial(in: &context)
            return .idle
        default:
            // Paused: the partial is complete, and is published when the job goes on.
            return .idle
        }
        guard partial.length == job.totalBytes else {
            // Somebody has put another file in the place of what was written.
            discardPartial(in: &context)
            let failure = JobFailure(.storageLost, "the unfinished file is not the one that was written")
            context.emit(.restarted(name: job.name, reason: failure.message))
            tryAgain(after: failure, .uncounted, in: &context)
            return .idle
        }
        if !job.hasFinished {
            // Reported only now, because only now the file is safely on the disk.
            job.hasFinished = true
            context.emit(.finished(url: job.url.masked, partialPath: path))
        }
        if let expected = job.expectedSHA256, expected != partial.sha256 {
            discardPartial(in: &context)
            let message = "the file's SHA-256 is \(partial.sha256 ?? "unknown"), not \(expected)"
            fail(JobFailure(.checksumMismatch, message), in: &context)
            return .idle
        }
        let layout = wantedName(in: context).layout
        // It may be another one since the partial was sealed.
        guard !layout.needsHash || partial.sha256 != nil else { return seal(in: &context) }
        let folder = layout.folder(sha256: partial.sha256)
        return publish(Job.Reservation(name: freeName, folder: folder, sealed: partial), in: &context)
    }

    /// Returns the name and the folder for a document that arrives now: the folder that was asked for goes before
    /// that of the settings.
    func wantedName(in context: JobContext) -> WantedName {
        let layout = job.options.folder.map(DocumentLayout.init) ?? context.layout
        return WantedName(job.name, in: layout.filled(for: job, at: context.now.wall))
    }

    /// Reserves a name for the partial, then asks for the rename.
    mutating func publish(_ reservation: Job.Reservation, in context: inout JobContext) -> JobActivity {
        job.reservation = reservation
        context.perform(.publish(reservation, wantedName: job.name))
        return .publishing
    }

    /// Records that a body from memory is a document.
    mutating func stored(
        _ reservation: Job.Reservation,
        partialPath: String,
        path: String,
        mark: FileMark?,
        in context: inout JobContext
    ) {
        if !job.hasFinished, job.state != .cancelled {
            job.hasFinished = true
            context.emit(.finished(url: job.url.masked, partialPath: partialPath))
        }
        job.reservation = reservation
        published(path: path, mark: mark, in: &context)
    }

    /// Handles a body from memory that could not be stored, of which nothing is left.
    mutating func storeFailed(_ failure: JobFailure, _ fault: AttemptFault, in context: inout JobContext) {
        // Kept, because it tells how much room the next attempt needs.
        let total = job.totalBytes
        discardPartial(in: &context)
        job.totalBytes = total
        // A shortage of the machine is reported once, however many attempts follow.
        if !failure.isOfMachine, failure.code != .badFolder, !job.state.isFinal, !fault.isShared {
            context.emit(.restarted(name: job.name, reason: failure.message))
        }
        tryAgainUnlessSteered(after: failure, fault, in: &context)
    }

    /// Handles a partial that could not be sealed.
    mutating func sealFailed(
        _ failure: JobFailure,
        _ fault: AttemptFault,
        keepsPartial: Bool,
        in context: inout JobContext
    ) {
        // A failed sync is final for its partial: the kernel may have
        // dropped the data and called the pages clean (fsync(2), EIO).
        if !keepsPartial { discardBadPartial(because: failure.message, in: &context) }
        tryAgainUnlessSteered(after: failure, fault, in: &context)
    }

    /// Handles a partial that could not be renamed.
    mutating func publishFailed(
        _ failure: JobFailure,
        _ fault: AttemptFault,
        keepsPartial: Bool,
        in context: inout JobContext
    ) {
        job.reservation = nil
        if !keepsPartial { discardBadPartial(because: failure.message, in: &context) }
        tryAgainUnlessSteered(after: failure, fault, in: &context)
    }

    private mutating func tryAgainUnlessSteered(
        after failure: JobFailure,
        _ fault: AttemptFault,
        in context: inout JobContext
    ) {
        switch job.state {
        // It stays as it is until somebody sees to it.
        case .downloading where failure.code == .badFolder: fail(failure, in: &context)
        case .downloading: tryAgain(after: failure, TryOutcome(fault), in: &context)
        case .queued: context.move(.enqueueTransfer)
        case .cancelled: discardPartial(in: &context)
        default: break
        }
    }

    /// Records that the document has its name.
    ///
    /// If the job was cancelled in the meantime, the document is removed again: nobody asked for it any more.
    mutating func published(path: String, mark: FileMark?, in context: inout JobContext) {
        guard let reservation = job.reservation else { return }
        // Somebody may have written to the file as soon as it had its name, or replaced it.
        published(path: path, knownAs: mark.flatMap { $0.isOf(reservation.sealed) ? $0 : nil }, in: &context)
    }

    private mutating func published(path: String, knownAs mark: FileMark?, in context: inout JobContext) {
        guard let reservation = job.reservation else { return }
        job.documentMark = mark
        job.name = reservation.name
        job.publishedFolder = reservation.folder
        job.path = path
        job.sha256 = reservation.sealed.sha256
        job.bytes = reservation.sealed.length
        job.reservation = nil
        // These may be secrets, and no further request needs them.
        job.headers = []
        job.fruitlessTries = 0
        job.struggled = 0
        job.toldOf = []
        context.number(.stored, of: &job)
        context.emit(.stored(name: job.name, path: path, length: job.length ?? .proven))
        let inode = reservation.sealed.inode
        if job.state == .downloading || job.state == .queued {
            job.state = .stored
            goOnWithDocument(inode: inode, in: &context)
        } else if job.state == .cancelled, job.documentMark != nil {
            job.evictedAt = context.now.wall
            requestRemoval(in: &context)
        } else if job.sha256 == nil {
            context.perform(.hash(Document(path: path, length: job.bytes, inode: inode)))
        }
    }

    /// Records the document's SHA-256.
    mutating func hashed(_ sha256: String, in context: inout JobContext) {
        guard job.sha256 == nil else { return }
        job.sha256 = sha256
        if job.state == .stored { context.move(.enqueueDetection) }
    }

    /// Goes on with a document that can't be hashed.
    mutating func hashFailed(in context: inout JobContext) {
        // A detector will say what is wrong with it.
        if job.state == .stored, job.sha256 == nil { context.move(.enqueueDetection) }
    }

    /// Goes on from what became of a reserved name after the daemon ended.
    mutating func recover(_ publication: Publication, in context: inout JobContext) -> JobActivity {
        guard var reservation = job.reservation else { return .idle }
        switch publication {
        case .published(let path, let mark):
            // The beginning of its only transfer may not have reached the store (HeldChanges in JobEngine).
            job.attempts = max(job.attempts, 1)
            if !job.hasStarted {
                job.hasStarted = true
                context.emit(.started(url: job.url.masked))
            }
            job.totalBytes = job.totalBytes ?? reservation.sealed.length
            published(path: path, knownAs: mark, in: &context)
        case .pending(let modified) where job.state == .downloading:
            reservation.sealed.modified = modified
            return publish(reservation, in: &context)
        case .pending, .lost:
            job.reservation = nil
            if job.state == .cancelled { discardPartial(in: &context) }
        }
        return .idle
    }
}
