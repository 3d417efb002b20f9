/// From a complete partial to a document under its name.
extension JobDraft {
    /// The partial is complete and on the disk, and there is a name for it.
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
        if !job.hasFinished {
            // Only now: what is told to be there is on the disk.
            job.hasFinished = true
            context.tell(.finished(url: job.url.masked, partialPath: path))
        }
        if let expected = job.expectedSHA256, expected != partial.sha256 {
            discardPartial(in: &context)
            let message = "the file's SHA-256 is \(partial.sha256 ?? "unknown"), expected was \(expected)"
            fail(JobFailure(.checksumMismatch, message), in: &context)
            return .idle
        }
        return publish(Job.Reservation(name: freeName, sealed: partial), in: &context)
    }

    /// Has the partial renamed to a name that is taken for it first.
    mutating func publish(_ reservation: Job.Reservation, in context: inout JobContext) -> JobActivity {
        job.reservation = reservation
        context.ask(for: .publish(reservation, wantedName: job.name))
        return .publishing
    }

    /// The partial could not be sealed.
    mutating func sealFailed(_ failure: JobFailure, keepsPartial: Bool, in context: inout JobContext) {
        // A failed sync is final for its partial: the kernel may have
        // dropped the data and called the pages clean (fsync(2), EIO).
        if !keepsPartial { discardBadPartial(because: failure.message, in: &context) }
        tryAgainUnlessSteered(after: failure, in: &context)
    }

    /// The partial could not be renamed.
    mutating func publishFailed(_ failure: JobFailure, keepsPartial: Bool, in context: inout JobContext) {
        job.reservation = nil
        if !keepsPartial { discardBadPartial(because: failure.message, in: &context) }
        tryAgainUnlessSteered(after: failure, in: &context)
    }

    private mutating func tryAgainUnlessSteered(after failure: JobFailure, in context: inout JobContext) {
        switch job.state {
        case .downloading: tryAgain(after: failure, .counted, in: &context)
        case .queued: context.move(.enqueueTransfer)
        case .cancelled: discardPartial(in: &context)
        default: break
        }
    }

    /// The document stands under its name.
    ///
    /// Whatever was asked meanwhile, that is so.
    mutating func published(path: String, mark: FileMark?, in context: inout JobContext) {
        guard let reservation = job.reservation else { return }
        // Somebody may have written to it the moment it got its name, or put another there.
        job.documentMark = mark.flatMap { $0.isOf(reservation.sealed) ? $0 : nil }
        job.name = reservation.name
        job.path = path
        job.sha256 = reservation.sealed.sha256
        job.bytes = reservation.sealed.length
        job.reservation = nil
        // No request follows for which a secret would have to be kept.
        job.headers = []
        job.fruitlessTries = 0
        job.struggled = 0
        job.toldOfFullDisk = false
        context.tell(.stored(name: job.name, path: path))
        let inode = reservation.sealed.inode
        if job.state == .downloading || job.state == .queued {
            job.state = .stored
            goOnWithDocument(inode: inode, in: &context)
        } else if job.sha256 == nil {
            context.ask(for: .hash(Document(path: path, length: job.bytes, inode: inode)))
        }
    }

    /// The document has this SHA-256.
    mutating func hashed(_ sha256: String, in context: inout JobContext) {
        guard job.sha256 == nil else { return }
        job.sha256 = sha256
        if job.state == .stored { context.move(.enqueueDetection) }
    }

    /// The document can't be hashed.
    mutating func hashFailed(in context: inout JobContext) {
        // A detector will say what is wrong with it.
        if job.state == .stored, job.sha256 == nil { context.move(.enqueueDetection) }
    }

    /// What became of a name that was reserved before the daemon ended.
    mutating func recover(_ publication: Publication, in context: inout JobContext) -> JobActivity {
        guard let reservation = job.reservation else { return .idle }
        switch publication {
        case .published(let path): published(path: path, mark: nil, in: &context)
        case .pending where job.state == .downloading: return publish(reservation, in: &context)
        case .pending, .lost:
            job.reservation = nil
            if job.state == .cancelled { discardPartial(in: &context) }
        }
        return .idle
    }
}
