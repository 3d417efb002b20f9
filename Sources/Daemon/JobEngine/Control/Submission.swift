import JobModel
import Vocabulary

/// A batch to be accepted, with validated items.
public struct Submission: Sendable {
    /// The items in order.
    public var items: [NewJob]
    /// The user id of the submitter, where known (SO_PEERCRED).
    public var submittedBy: UInt32?
    /// The key that makes a repeated request return the first one's answer, with a digest of the body to
    /// detect reuse.
    public var idempotency: Idempotency?
    /// The source whose page it is: written by the transaction that shows the batch, or not at all.
    public var source: SourceWrite?
    /// The length of each renewal of the batch's lease, in seconds; nil if it needs none.
    public var lease: Int?
    /// The number of items that were left out because their URLs were known; nil if that wasn't asked for.
    public var known: Int?

    public init(
        items: [NewJob],
        submittedBy: UInt32?,
        idempotency: Idempotency? = nil,
        source: SourceWrite? = nil,
        lease: Int? = nil
    ) {
        self.items = items
        self.submittedBy = submittedBy
        self.idempotency = idempotency
        self.source = source
        self.lease = lease
    }

    /// The client's key for a request, and a digest of the request.
    public struct Idempotency: Hashable, Sendable {
        /// The `Idempotency-Key` header field, verbatim.
        public var key: String
        /// A digest of the request's body.
        public var bodyDigest: String

        public init(key: String, bodyDigest: String) {
            self.key = key
            self.bodyDigest = bodyDigest
        }
    }
}

/// The result of forgetting jobs; those that don't exist are in neither number.
public struct ForgottenJobs: Hashable, Sendable {
    /// The number of jobs that are forgotten.
    public var forgotten: Int
    /// The number of jobs that stay because they are under way.
    public var kept: Int

    public init(forgotten: Int = 0, kept: Int = 0) {
        self.forgotten = forgotten
        self.kept = kept
    }
}

/// A batch that has been accepted and is on the disk.
public struct AcceptedBatch: Hashable, Sendable {
    /// The batch in its current state.
    public var batch: Batch
    /// The batch's jobs in the order of the items.
    public var jobs: [JobID]

    public init(batch: Batch, jobs: [JobID]) {
        self.batch = batch
        self.jobs = jobs
    }
}
