/// A report of the document store on one job.
public enum StorageReport: Hashable, Sendable {
    /// The partial at `path` is complete, synced, and hashed unless that takes long and can wait;
    /// `freeName` is the first name like the wanted one that no document has, and `wantedName` the wanted one with
    /// the extension of the content, nil if that is the same.
    case sealed(SealedPartial, path: String, freeName: String, wantedName: String? = nil)
    /// The partial could not be synced or read.
    ///
    /// `keepsPartial` is true if its content can still be trusted, as on a full disk; `errorNumber` is the
    /// errno of what failed.
    case sealFailed(JobFailure, keepsPartial: Bool, errorNumber: Int32? = nil)
    /// The document has its name, and the directory entry is synced; `mark` identifies the file, nil if
    /// it could not be read.
    case published(path: String, mark: FileMark? = nil)
    /// A body from memory has become a document, as in `sealed` and `published` at once; `partialPath` is
    /// where it was before it had its name.
    case stored(Job.Reservation, partialPath: String, path: String, mark: FileMark? = nil)
    /// The document has this SHA-256.
    case hashed(sha256: String)
    /// The document can't be hashed: it has been changed or taken away, or can't be read.
    case hashFailed(JobFailure)
    /// The document has been removed to make room, and the directory is synced.
    case removed
    /// The document stays: it isn't the file that was stored, or can't be removed.
    case notRemoved
    /// An idle partial has been synced up to this length.
    case synced(length: Int64)
    /// An idle partial can no longer be trusted.
    case syncFailed
    /// Another file has taken the name in the meantime; `freeName` is the next to try.
    case nameTaken(freeName: String)
    /// The partial could not be renamed, or the rename could not be synced.
    ///
    /// `keepsPartial` is true if its content can still be trusted; `errorNumber` is the errno of what failed.
    case publishFailed(JobFailure, keepsPartial: Bool, errorNumber: Int32? = nil)
}

/// The fate of a name that was reserved before the daemon ended.
public enum Publication: Hashable, Sendable {
    /// The name belongs to the partial's own file, which had been published.
    /// `mark` is what the file looks like now, if its content is known to be what was sealed.
    case published(path: String, mark: FileMark? = nil)
    /// The file is still a partial.
    /// `modified` is when it was last written to, in nanoseconds since 1970, by which its document is known again.
    case pending(modified: Int64? = nil)
    /// The file is neither here nor there.
    case lost
}
