/// Totals of a source since the daemon started, for metrics.
public struct SourceTotals: Sendable {
    /// The number of pages read.
    public internal(set) var pages = 0
    /// The number of items listed.
    public internal(set) var items = 0
    /// The number of items that became jobs.
    public internal(set) var new = 0
    /// The number of items that could not be read.
    public internal(set) var bad = 0
    /// The number of pages that could not be read, by the code of the failure.
    public internal(set) var errors: [String: Int] = [:]

    /// Counts a page that has been asked for.
    mutating func count(_ page: PageRecord) {
        if let error = page.error {
            errors[error, default: 0] += 1
        } else {
            pages += 1
            items += page.items
            new += page.new
            bad += page.bad
        }
    }
}
