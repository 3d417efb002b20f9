import JobModel

/// An effect of a decision: work that the outside performs for a job once the decision is durable.
public enum JobEffect: Hashable, Sendable {
    /// Begin a transfer, for which the job has a permit.
    case startTransfer(resume: ResumePoint?)
    /// Tell the running transfer that its last report is in the store: either the segments that it
    /// holds, or that it starts from zero.
    case confirmTransfer
    /// Stop the running transfer; it then reports that it has ended.
    case stopTransfer
    /// Sync and hash the partial, and find a free name like the wanted one.
    ///
    /// Hashing may be put off unless `mustHash` is set.
    case seal(wantedName: WantedName, mustHash: Bool, DocumentTraits = DocumentTraits())
    /// Write a body from memory, give it a free name like the wanted one, and sync both.
    case store(BufferedBody, validator: Validator?, wantedName: WantedName, DocumentTraits = DocumentTraits())
    /// Rename the partial to the reserved name; if that is taken, find another like the wanted one.
    case publish(Job.Reservation, wantedName: String)
    /// Hash the document.
    case hash(Document)
    /// Sync a partial to which nothing is being written.
    case syncPartial
    /// Remove the partial.
    case discardPartial
    /// Remove the document, unless it is no longer the file with this mark.
    case removeDocument(path: String, mark: FileMark)
    /// Hand the document to a detector again, because the last one ended without an answer.
    case lookAgain
    /// Take the document from its detector, if one has it.
    case withdrawDetection
}
