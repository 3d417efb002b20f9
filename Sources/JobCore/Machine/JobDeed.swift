/// What the outside is to do for a job, after what was decided is durable.
public enum JobDeed: Hashable, Sendable {
    /// Begin a transfer. The job has a permit.
    case startTransfer(resume: ResumePoint?)
    /// Tell the transfer under way that what it last told of is in the store: the segments that it holds, or
    /// that it starts from zero.
    case confirmTransfer
    /// End the transfer under way; a report that it ended follows.
    case stopTransfer
    /// Sync and hash the partial, and find a name like this one; unless `mustHash`, hashing may be left for
    /// later.
    case seal(wantedName: String, mustHash: Bool)
    /// Rename the partial to the reserved name; where that is taken, a name like the wanted one is next.
    case publish(Job.Reservation, wantedName: String)
    /// Hash the document.
    case hash(Document)
    /// Sync the partial, which rests.
    case syncPartial
    /// Remove the partial.
    case discardPartial
    /// Hand the document to a detector once more: what had it has ended without an answer.
    case lookAgain
    /// Take the document from its detector, if one has it.
    case withdrawDetection
}
