import Vocabulary

/// A batch, as shown on the control socket.
public struct BatchJSON: APIObject, Identifiable {
    /// The batch's id, from 1.
    public var id: Int64
    /// The time when the batch was accepted (RFC 3339).
    public var createdAt: String
    /// The seconds since it was accepted.
    public var elapsed: Double
    /// The user id of the submitter, where known.
    public var submittedBy: UInt32?
    /// The number of jobs in the batch.
    public var jobCount: Int
    /// The number of jobs in each state, for every state.
    public var states: JobCountsJSON
    /// The ids of the jobs in the order of the items; only in the answers to posting a batch and to
    /// getting a single one.
    public var jobs: [Int64]?
    /// The time for which each renewal of its lease is good, in seconds; nil if it has none.
    public var lease: Int?
    /// The number of items that were left out as known; nil if that wasn't asked for.
    public var known: Int?

    enum CodingKeys: String, CodingKey {
        case id
        case createdAt = "created_at"
        case elapsed
        case submittedBy = "submitted_by"
        case jobCount = "job_count"
        case states, jobs, lease, known
    }

    public init(
        id: Int64,
        createdAt: String,
        elapsed: Double,
        submittedBy: UInt32?,
        jobCount: Int,
        states: JobCountsJSON,
        jobs: [Int64]? = nil,
        lease: Int? = nil,
        known: Int? = nil
    ) {
        self.id = id
        self.createdAt = createdAt
        self.elapsed = elapsed
        self.submittedBy = submittedBy
        self.jobCount = jobCount
        self.states = states
        self.jobs = jobs
        self.lease = lease
        self.known = known
    }

    public static let shape = Shape<BatchJSON>("Batch", CodingKeys.self) {
        $0.member(.id, \.id, .id)
        $0.member(.createdAt, \.createdAt, .time)
        $0.member(.elapsed, \.elapsed, .number(from: 0)) { "Seconds on the batch's clock." }
        $0.member(.submittedBy, \.submittedBy) { "The user id of whoever asked." }
        $0.member(.jobCount, \.jobCount, .count)
        $0.member(.states, \.states, .jobCounts)
        $0.member(ifKnown: .jobs, \.jobs, .array(of: .id)) { "Ids, in the order of the items." }
        $0.member(ifKnown: .lease, \.lease, BatchRequest.leaseSchema) {
            "Seconds that each renewal of its lease is good for; absent if it has none."
        }
        $0.member(ifKnown: .known, \.known, .count) {
            "How many items were left out as known; absent unless skip_known was true."
        }
    }
}

/// The request body for renewing a batch's lease.
public struct RenewRequest: APIObject {
    /// The seconds from now; 0 to have it lapse at once, nil for as long as it was granted.
    public var lease: Int?

    /// Creates a request.
    public init(lease: Int?) { self.lease = lease }

    /// The range of renewals, in seconds.
    public static let leases: ClosedRange<Int64> = 0...BatchRequest.leases.upperBound

    public static let shape = Shape<RenewRequest>("RenewRequest", CodingKeys.self) {
        $0.member(ifKnown: .lease, \.lease, .integer(from: leases.lowerBound, to: leases.upperBound).orNull) {
            "Seconds from now; with 0 it lapses at once. By default as many as it was granted."
        }
    }
}

/// The number of jobs in each state.
public typealias JobCountsJSON = [APIWord<JobState>: Int]

/// The answer to a batch of which nothing was new, as sent over the control socket.
public struct EmptyBatchJSON: APIObject {
    /// Nil, since there is no batch.
    public var batch: BatchJSON?
    /// The number of items, all of which were known.
    public var known: Int

    /// Creates the answer for so many known items.
    public init(known: Int) { self.known = known }

    public static let shape = Shape<EmptyBatchJSON>("EmptyBatch", CodingKeys.self) {
        $0.member(.batch, \.batch) { "Always null: no batch was made." }
        $0.member(.known, \.known, .integer(from: 1)) { "How many items there were, all known." }
    }
}
