/// The documents that are like another one.
public struct SimilarDocuments: Sendable {
    /// The nearest of them, the most alike first.
    public var items: [Item]
    /// The number of all.
    public var total: Int

    /// A document that is like another one.
    public struct Item: Sendable {
        /// The document's job.
        public var job: Job
        /// The number of bits in which the fingerprints differ; 0 for the same content.
        public var distance: Int

        public init(job: Job, distance: Int) {
            self.job = job
            self.distance = distance
        }
    }

    public init(items: [Item] = [], total: Int = 0) {
        self.items = items
        self.total = total
    }
}
