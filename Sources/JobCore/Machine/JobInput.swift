/// Everything that can happen to a job.
public enum JobInput: Hashable, Sendable {
    /// The queue gave the job a transfer permit.
    ///
    /// `partialLength` is the length of the partial on the disk, as far as it
    /// is to be believed, nil when there is none; `boot` names the machine's run.
    case permitGranted(partialLength: Int64?, boot: String? = nil)
    /// There is no room for the rest of the file that is being fetched.
    case roomRefused(JobFailure)
    /// The daemon is going down, the transfer has ended, and the partial's `length` is on the disk.
    case settled(length: Int64)
    /// The transfer thread tells of the job's transfer; `counts` is false
    /// while the machine has no way to where the file is.
    case transfer(TransferReport, counts: Bool = true)
    /// The document store tells of the job's partial or document.
    case storage(StorageReport)
    /// The time that the job waited for has come.
    case retryDue
    /// A detector took the document.
    case detectionBegan
    /// The gate is held, and the document waits.
    case detectionDeferred
    /// The detectors are being ended, and with them what they were at.
    case detectionInterrupted
    /// The detectors are done with the document.
    case detectionEnded(DetectionResult)
    /// What is in the document is known already: another job's was the same.
    case detectionShared(DetectionResult)
    /// The daemon has started again; where a name was reserved, what became of it.
    case recovered(Publication?)
    /// Hold it.
    case pause
    /// Let it go on.
    case resume
    /// End it.
    case cancel
    /// Try again now, from another URL if one is given; then the job's own header fields are kept
    /// only for who may use them.
    case retry(JobURL?, keepsHeaders: Bool = false)
    /// Look for faces again.
    case detect(DetectionDemand)
    /// Move it in the queue.
    case prioritize(Int)

    /// What it is, without what is in it: "storage.published".
    var kind: String {
        switch self {
        case .transfer(let report, _): "transfer.\(Self.label(of: report))"
        case .storage(let report): "storage.\(Self.label(of: report))"
        default: Self.label(of: self)
        }
    }

    private static func label(of value: Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? String(describing: value)
    }
}

/// What the document store tells of one job.
public enum StorageReport: Hashable, Sendable {
    /// The partial, at `path`, is complete, on the disk, and hashed, but where that can wait and takes long;
    /// `freeName` is the first name like the wanted one that no document has.
    case sealed(SealedPartial, path: String, freeName: String)
    /// The partial could not be synced or read. `keepsPartial` is true when
    /// what is there can still be believed (a full disk), false when it can't.
    case sealFailed(JobFailure, keepsPartial: Bool)
    /// The document stands under its name, and so does the directory entry; with what it is known by,
    /// where that could be read.
    case published(path: String, mark: FileMark? = nil)
    /// The document has this SHA-256.
    case hashed(sha256: String)
    /// The document can't be hashed: it has been changed, taken away, or can't be read.
    case hashFailed(JobFailure)
    /// A partial that rests is on the disk for good, to this length.
    case synced(length: Int64)
    /// A partial that rests can't be relied on any more.
    case syncFailed
    /// Another file took the name meanwhile; `freeName` is the next to try.
    case nameTaken(freeName: String)
    /// The partial could not be renamed, or the rename not be synced. `keepsPartial` is
    /// true when what is there can still be believed, false when it can't.
    case publishFailed(JobFailure, keepsPartial: Bool)
}

/// What became of a name that was reserved before the daemon ended.
public enum Publication: Hashable, Sendable {
    /// The name holds the very file: it had been published.
    case published(path: String)
    /// The file is still a partial.
    case pending
    /// The file is neither here nor there.
    case lost
}
