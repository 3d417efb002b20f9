import JobModel
import Vocabulary

/// Everything that can happen to a job.
public enum JobInput: Hashable, Sendable {
    /// The queue granted the job a permit.
    ///
    /// `partialLength` is the trusted length of the partial on the disk, nil if there is none; `surviving`
    /// is what a partial with holes has beyond its map, though not synced; `boot` identifies this run of the
    /// machine.
    case permitGranted(partialLength: Int64?, surviving: SegmentMap? = nil, boot: String? = nil)
    /// The job's transfer is to stop and go on later, because its permit is needed for a job that someone looks
    /// at, or because nothing may be transferred now.
    ///
    /// Only for a job that ``JobMachine/isTransferring``.
    case giveWay
    /// There is no room for the rest of the file being fetched.
    case roomRefused(JobFailure)
    /// The daemon is stopping, the transfer has ended, and `length` bytes of the partial are on the
    /// disk.
    case settled(length: Int64)
    /// The transfer thread reports on the job's transfer; `fault` says whose fault it is if that ended early.
    case transfer(TransferReport, fault: AttemptFault = .own)
    /// The job's request was never sent (``TransferEnd/unsent``), so that its attempt doesn't count; `wasTold` is true
    /// if its beginning may have been stored or told.
    case unsent(wasTold: Bool)
    /// The document store reports on the job's partial or document; `fault` says whose fault it is if that failed.
    case storage(StorageReport, fault: AttemptFault = .own)
    /// The time until which the job waited has come.
    case retryDue
    /// That time has come, and others of the job's host go first, which it follows at a moment.
    case goBehind(until: Moment)
    /// A detector took the document.
    case detectionBegan
    /// The gate is held, and the document waits.
    case detectionDeferred
    /// The detectors are being stopped, together with what they were working on.
    case detectionInterrupted
    /// The detectors are done with the document.
    case detectionEnded(DetectionResult)
    /// The result is known without a look: from another job whose document has the same content, or because
    /// nobody is to look.
    case detectionKnown(DetectionResult)
    /// The daemon has started again; if a name was reserved, this says what became of it.
    case recovered(Publication?)
    /// The lease of the job's batch has lapsed.
    case hold
    /// The lease of the job's batch runs again.
    case release
    /// A request to pause the job.
    case pause
    /// A request to resume the job.
    case resume
    /// A request to cancel the job.
    case cancel
    /// A request to try again now, from another URL if one is given.
    ///
    /// The job's own header fields are kept for another URL only if `keepsHeaders` is set, that is, if
    /// the person asking may use them.
    case retry(JobURL?, keepsHeaders: Bool = false)
    /// A request to look for faces again.
    case detect(DetectionDemand)
    /// A request to change the job's priority.
    case prioritize(Int)
    /// A request to keep the document however long ago it was served, or no longer to.
    case pin(Bool)
    /// The fingerprint of the document with this SHA-256, which was looked at before fingerprints were made.
    case fingerprint(Fingerprint?, of: String?)
    /// The document has been served; only for one that may be removed to make room.
    case served(at: SteadyTime)
    /// The document is to be removed, to make room.
    ///
    /// Only for a job that ``Job/mayBeEvicted``.
    case evict
    /// A request to remove the document, of a job that has ended.
    case removeDocument

    /// The input's name without its values, such as "storage.published".
    var kind: String {
        switch self {
        case .transfer(let report, _): "transfer.\(Self.label(of: report))"
        case .storage(let report, _): "storage.\(Self.label(of: report))"
        default: Self.label(of: self)
        }
    }

    private static func label(of value: Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? String(describing: value)
    }
}
