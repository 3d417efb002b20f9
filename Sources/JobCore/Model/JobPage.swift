/// A choice of jobs; nothing set means all.
public struct JobFilter: Hashable, Sendable {
    /// Only jobs in this state.
    public var state: JobState?
    /// Only jobs of this batch.
    public var batch: BatchID?
    /// Only jobs with this text in their name, or in their URL as people see it.
    ///
    /// Passwords are never searched. Case makes no difference to ASCII letters.
    public var text: String?

    /// A filter.
    public init(state: JobState? = nil, batch: BatchID? = nil, text: String? = nil) {
        self.state = state
        self.batch = batch
        self.text = text
    }
}

/// Some jobs of a longer list.
public struct JobPage: Sendable {
    /// The jobs, by ascending id.
    public var items: [Job]
    /// How many jobs the filter lets through, on all pages.
    public var total: Int
    /// True when more follow after the last of ``items``.
    public var hasMore: Bool

    /// A page.
    public init(items: [Job], total: Int, hasMore: Bool) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
    }
}

/// Some batches of a longer list.
public struct BatchPage: Sendable {
    /// The batches, by ascending id.
    public var items: [Batch]
    /// How many batches there are, on all pages.
    public var total: Int
    /// True when more follow after the last of ``items``.
    public var hasMore: Bool

    /// A page.
    public init(items: [Batch], total: Int, hasMore: Bool) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
    }
}
