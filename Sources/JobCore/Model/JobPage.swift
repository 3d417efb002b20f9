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

    /// Creates a filter from conditions that must all hold.
    public init(state: JobState? = nil, batch: BatchID? = nil, text: String? = nil) {
        self.state = state
        self.batch = batch
        self.text = text
    }
}

/// One page of a longer list of jobs.
public struct JobPage: Sendable {
    /// The jobs in ascending order of id.
    public var items: [Job]
    /// The number of jobs that match the filter, on all pages.
    public var total: Int
    /// Whether more follow after the last of ``items``.
    public var hasMore: Bool

    /// Creates a page.
    public init(items: [Job], total: Int, hasMore: Bool) {
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
    /// Whether more follow after the last of ``items``.
    public var hasMore: Bool

    /// Creates a page.
    public init(items: [Batch], total: Int, hasMore: Bool) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
    }
}
