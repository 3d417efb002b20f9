import JobModel
import SourceCore
import Vocabulary

/// The jobs made of a page's items, and the jobs that get another URL.
struct PageSelection {
    /// The failures that another URL mends: it is no longer valid.
    static let expired: Set<FailureCode> = [.http(401), .http(403), .http(404), .http(410)]

    /// The items that become jobs, each key once.
    private(set) var new: [PageItem] = []
    /// The jobs that failed for an expired URL, each with the page's.
    private(set) var mended: [(job: JobID, url: JobURL)] = []
    /// The jobs that are still to be fetched from another URL than the page's, each with that.
    private(set) var newer: [(job: JobID, url: JobURL)] = []

    /// Selects from a page's items.
    ///
    /// - Parameters:
    ///   - known: what is known of them; new items are not in it.
    ///   - isMissing: whether a known item's document, by its path, is to be fetched again.
    init(_ items: [PageItem], known: [ItemHash: KnownItem], isMissing: (String) -> Bool = { _ in false }) {
        var seen: Set<ItemHash> = []
        for item in items {
            guard let before = known[item.hash] else {
                if seen.insert(item.hash).inserted { new.append(item) }
                continue
            }
            if let path = before.path, isMissing(path) {
                if seen.insert(item.hash).inserted { new.append(item) }
            } else if let trouble = before.trouble, Self.expired.contains(trouble.code),
                trouble.url != item.job.url.text
            {
                mended.append((before.job, item.job.url))
            } else if let url = before.pendingURL, url != item.job.url.text {
                newer.append((before.job, item.job.url))
            }
        }
    }
}
