import JobModel
import Vocabulary

/// The document store, as the engine sees it: the keeper of partials and documents.
///
/// Slow operations report through the engine's inbox; the others take a system call or two.
public protocol DocumentPort: Sendable {
    /// Returns the path of a job's partial, whether or not it exists.
    func partialPath(of job: JobID) -> String
    /// Returns the length of a job's partial in bytes; nil if there is none.
    func partialLength(of job: JobID) -> Int64?
    /// Notes that a transfer appends to a job's partial after its first `length` bytes.
    func partialBegins(_ job: JobID, at length: Int64)
    /// Notes that the first `length` bytes of a job's partial are written, and will not change.
    func partialGrew(_ job: JobID, to length: Int64)
    /// Syncs an idle partial, and reports through the inbox.
    func sync(_ job: JobID)
    /// Syncs a partial at once and returns its length; nil if there is none, or if it can't be trusted
    /// and has been removed.
    func syncNow(_ job: JobID) -> Int64?
    /// Syncs and hashes a partial, and finds a free name; hashing may be put off unless `mustHash` is
    /// set.
    func seal(_ job: JobID, wantedName: WantedName, mustHash: Bool, _ traits: DocumentTraits)
    /// Writes a body from memory, gives it a free name like the wanted one, and reports through the inbox.
    ///
    /// What it reports as stored it remembers, over a crash, until ``confirmStored(_:)``.
    func store(
        _ job: JobID,
        _ body: BufferedBody,
        validator: Validator?,
        wantedName: WantedName,
        _ traits: DocumentTraits
    )
    /// Notes that the store of jobs knows that bodies have become documents.
    func confirmStored(_ jobs: [JobID])
    /// Returns the bodies that have become documents in the last run without a confirmation.
    func unconfirmedDocuments() -> [JobID: UnconfirmedDocument]
    /// Renames a partial to its reserved name.
    func publish(_ job: JobID, _ reservation: Job.Reservation, wantedName: String)
    /// Hashes a document.
    func hash(_ job: JobID, _ document: Document)
    /// Removes a document, unless it is no longer the file with this mark, and reports through the inbox.
    func removeDocument(of job: JobID, at path: String, mark: FileMark)
    /// Removes a job's partial, if there is one.
    func discardPartial(of job: JobID)
    /// Returns the mark of a document; nil if the file no longer exists.
    func mark(ofDocument path: String) -> FileMark?
    /// Returns what became of a name that was reserved before the daemon ended.
    func publication(of job: JobID, _ reservation: Job.Reservation) -> Publication
    /// Returns the free bytes on the documents' disk.
    func freeBytes() -> Int64?
    /// Returns why nothing can be stored or found, by looking whether the directories are where their paths lead;
    /// nil if all is well.
    func obstacle() -> String?
    /// Does the same, and goes on with what has taken the directories' places, where that can be used.
    func findAgain() -> String?
    /// Tries on another thread whether anything can be written to the directories, and reports through the inbox;
    /// what lacks only room can be.
    ///
    /// A disk may never answer. Nothing is tried a second time before the first has come back, unless it is to be tried
    /// `anew`.
    func tryWriting(anew: Bool)
    /// The sentence about a try that doesn't come back.
    var silence: String { get }
    /// The number of times that another directory of partials has taken the place of the one before, in which
    /// running transfers go on writing.
    var partialsGeneration: Int { get }
}

extension DocumentPort {
    /// Nil, since nothing stands in the way.
    public func obstacle() -> String? { nil }
    /// Nil, since nothing stands in the way.
    public func findAgain() -> String? { nil }
    /// 0, since the directory of partials stays the same.
    public var partialsGeneration: Int { 0 }
}
