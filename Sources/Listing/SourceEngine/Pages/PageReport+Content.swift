import SourceCore

extension PageReport {
    /// Creates a report on a page.
    ///
    /// - Parameter complaints: The problems of the first items that couldn't be read, without secrets.
    init(_ content: PageContent, complaints: [String] = [], new: Int, newToWalk: Int) {
        self.init(
            listed: content.listed,
            bad: content.bad,
            complaint: complaints.first,
            wanted: content.items.count,
            new: new,
            newToWalk: newToWalk,
            fingerprint: PageFingerprint(keys: content.listedKeys),
            next: content.next,
            more: content.more,
            total: content.total,
            children: content.children
        )
    }
}
