import Vocabulary

/// A selection of jobs; without conditions, all of them.
public struct JobFilter: Hashable, Sendable {
    /// Only jobs in this state.
    public var state: JobState?
    /// Only jobs of this batch.
    public var batch: BatchID?
    /// Only jobs with this text in their name, or in their URL as shown to people.
    ///
    /// Passwords are never searched. ASCII letters match in either case.
    public var text: String?

    /// Only jobs of the source with this name.
    public var source: String?
    /// Only jobs whose ``JobMeta`` has all of these members.
    public var meta: [MetaMember] = []
    /// Only jobs in whose document at least this many faces have been counted.
    public var minFaces: Int?
    /// Only jobs whose document was looked at with this outcome.
    public var outcome: DetectionOutcome?
    /// Only these jobs.
    public var ids: Set<JobID>?

    public init(state: JobState? = nil, batch: BatchID? = nil, text: String? = nil) {
        self.state = state
        self.batch = batch
        self.text = text
    }

    /// A top-level member of a ``JobMeta``, compared by its text.
    public struct MetaMember: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The text of the value: a string's characters, or the JSON of any other value.
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }
}

/// The jobs that a filter lets through, as far as something can be done to them.
public struct JobMatches: Hashable, Sendable {
    /// Those in the states that were asked for, in ascending order.
    public var jobs: [JobID]
    /// The number of all that match, in whatever state.
    public var count: Int

    public init(jobs: [JobID] = [], count: Int = 0) {
        self.jobs = jobs
        self.count = count
    }
}

/// An order of a list of jobs.
///
/// The raw values are the words of the API.
public enum JobOrder: String, CaseIterable, Sendable {
    /// By ascending id or number.
    case oldest
    /// By descending id or number.
    case newest
}

/// One page of a longer list of jobs.
public struct JobPage: Sendable {
    /// The jobs in the order of the list.
    public var items: [Job]
    /// The number of jobs that match the filter, on all pages; nil where a text is searched for, which would
    /// have to be looked for in all jobs.
    public var total: Int?
    /// True if more follow after the last of ``items``.
    public var hasMore: Bool

    public init(items: [Job], total: Int?, hasMore: Bool) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
    }
}

/// One page of a longer list of batches.
public struct BatchPage: Sendable {
    /// The batches in ascending order of id.
    public var items: [Batch]
    /// The number of batches on all pages.
    public var total: Int
    /// True if more follow after the last of ``items``.
    public var hasMore: Bool

    public init(items: [Batch], total: Int, hasMore: Bool) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
    }
}

/// An ending, and the job that came to it, as it is now.
public struct EndedJob: Hashable, Sendable {
    /// The job.
    public var job: Job
    /// The job's ending.
    public var ending: JobEnding
    /// The ending's number.
    public var number: Int64

    public init(job: Job, ending: JobEnding, number: Int64) {
        self.job = job
        self.ending = ending
        self.number = number
    }
}

/// A query for endings.
public struct EndingQuery: Hashable, Sendable {
    /// The kinds of endings to list.
    public var endings: Set<JobEnding>
    /// The number above which endings are listed.
    public var endedAfter: Int64
    /// The filter for the jobs.
    public var filter: JobFilter
    /// The order of the list.
    public var order: JobOrder
    /// The last number of the previous page, if there is one.
    public var after: Int64?
    /// The maximum number of endings on the page.
    public var limit: Int

    public init(
        _ endings: Set<JobEnding> = JobEnding.final,
        endedAfter: Int64,
        filter: JobFilter = JobFilter(),
        order: JobOrder = .oldest,
        after: Int64? = nil,
        limit: Int
    ) {
        self.endings = endings
        self.endedAfter = endedAfter
        self.filter = filter
        self.order = order
        self.after = after
        self.limit = limit
    }
}

/// One page of a longer list of endings.
public struct EndingPage: Sendable {
    /// The endings in the order of the query.
    public var items: [EndedJob]
    /// The number of endings on all pages, as far as the first ``countedEndings`` tell, and at least as many as
    /// this page implies.
    public var total: Int
    /// True if more endings follow the last of ``items``.
    public var hasMore: Bool
    /// All endings of the kinds asked for with numbers above this one are kept; those of forgotten jobs are not.
    public var oldest: Int64
    /// The number of the latest ending of all, whatever was asked for; 0 if there has been none.
    public var newest: Int64

    /// The maximum number of endings that are counted for ``total``.
    public static let countedEndings = 10_000

    /// A page.
    public init(items: [EndedJob], total: Int, hasMore: Bool, oldest: Int64, newest: Int64) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
        self.oldest = oldest
        self.newest = newest
    }
}
