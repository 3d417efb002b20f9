import SourceCore

extension PageReport {
    /// What there is to say of a page.
    init(_ content: PageContent, new: Int, newToWalk: Int) {
        self.init(
            listed: content.listed,
            bad: content.bad,
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
