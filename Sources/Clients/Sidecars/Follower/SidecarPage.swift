import ExportFormats

/// A document that was looked at, and the number of that ending.
public struct SidecarItem: Hashable, Sendable {
    /// The number of the ending.
    public var number: Int64
    /// The job; nil if it has moved on since, and will be listed again.
    public var job: ExportedJob?

    public init(number: Int64, job: ExportedJob?) {
        self.number = number
        self.job = job
    }
}

/// The documents that were looked at after a number.
public struct SidecarPage: Hashable, Sendable {
    /// The documents, by ascending number.
    public var items: [SidecarItem]
    /// True if there are more than these.
    public var hasMore: Bool
    /// The latest number of all.
    public var newest: Int64

    public init(items: [SidecarItem], hasMore: Bool, newest: Int64) {
        self.items = items
        self.hasMore = hasMore
        self.newest = newest
    }
}

/// Returns the documents that were looked at after a number, up to a limit.
public typealias SidecarSource = @Sendable (_ after: Int64, _ limit: Int) async throws -> SidecarPage
