import JobCore

/// Who keeps partials and documents.
///
/// What takes long answers through the engine's inbox; the rest is a system call or two.
public protocol DocumentPort: Sendable {
    /// Where the partial of a job is, or would be.
    func partialPath(of job: JobID) -> String
    /// Bytes in the partial of a job; nil when there is none.
    func partialLength(of job: JobID) -> Int64?
    /// A transfer goes on with a job's partial behind its first `length` bytes.
    func partialBegins(_ job: JobID, at length: Int64)
    /// The first `length` bytes of a job's partial are there, and will not change.
    func partialGrew(_ job: JobID, to length: Int64)
    /// Syncs a partial that rests, and answers through the inbox.
    func sync(_ job: JobID)
    /// Syncs a partial at once, and says its length; nil when there is none, or it
    /// can't be relied on and is gone.
    func syncNow(_ job: JobID) -> Int64?
    /// Syncs and hashes a partial, and finds a free name; unless `mustHash`, hashing may wait.
    func seal(_ job: JobID, wantedName: String, mustHash: Bool)
    /// Renames a partial to its reserved name.
    func publish(_ job: JobID, _ reservation: Job.Reservation, wantedName: String)
    /// Hashes a document.
    func hash(_ job: JobID, _ document: Document)
    /// Removes a job's partial, if there is one.
    func discardPartial(of job: JobID)
    /// What a document is known by; nil where there is no such file any more.
    func mark(ofDocument path: String) -> FileMark?
    /// What became of a name that was reserved before the daemon ended.
    func publication(of job: JobID, _ reservation: Job.Reservation) -> Publication
    /// Bytes that can still be written where the documents are.
    func freeBytes() -> Int64?
}
