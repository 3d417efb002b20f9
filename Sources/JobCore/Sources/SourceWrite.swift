/// What is written of a source in one transaction, with the jobs of its page where there are any: so a
/// crash leaves all of a page, or nothing.
public struct SourceWrite: Hashable, Sendable {
    /// An item that is known from now on.
    public struct Key: Hashable, Sendable {
        /// What it is known by.
        public var hash: ItemHash
        /// Which of the batch's items it is, from 0.
        public var item: Int

        /// A key of an item.
        public init(hash: ItemHash, item: Int) {
            self.hash = hash
            self.item = item
        }
    }

    /// What was learned of an item's picture by asking its server.
    public struct Check: Hashable, Sendable {
        /// What the item is known by.
        public var hash: ItemHash
        /// The job that was asked about; nothing is written if the item has another one by now.
        public var job: JobID
        /// What goes with the next question.
        public var version: PictureVersion

        /// A check of an item.
        public init(hash: ItemHash, job: JobID, version: PictureVersion) {
            (self.hash, self.job, self.version) = (hash, job, version)
        }
    }

    /// What is forgotten of a source before anything is written.
    public enum Forgetting: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// What slices were read.
        case slices
        /// That, and what items are known.
        case keys
    }

    /// The source as it is now.
    public var row: SourceRow
    /// What is forgotten first.
    public var forgets = Forgetting.nothing
    /// Items that are known from now on.
    public var keys: [Key] = []
    /// Items about whose pictures their servers were asked.
    public var checks: [Check] = []
    /// Slices that were read to their end.
    public var slices: [SliceRow] = []
    /// A line for the list of the pages that were read last; nil for none.
    public var page: String?
    /// The first job of the batch that is accepted with it; the engine fills that in.
    public var firstJob: JobID?

    /// The most pages of a source that are listed.
    public static let mostPages = 100

    /// Writes a source's row.
    public init(_ row: SourceRow) { self.row = row }
}
