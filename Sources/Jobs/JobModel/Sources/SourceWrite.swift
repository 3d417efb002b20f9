import Vocabulary

/// A source's changes in one transaction, with the jobs of its page where there are any: so a crash leaves
/// all of a page, or nothing.
public struct SourceWrite: Hashable, Sendable {
    /// An item that is known from now on.
    public struct Key: Hashable, Sendable {
        /// The hash of its key.
        public var hash: ItemHash
        /// The index of its item in the batch, from 0; of no meaning for an item that becomes no job.
        public var item: Int

        /// A key of an item.
        public init(hash: ItemHash, item: Int) {
            self.hash = hash
            self.item = item
        }
    }

    /// The result of asking the server about an item's picture.
    public struct Check: Hashable, Sendable {
        /// The hash of the item's key.
        public var hash: ItemHash
        /// The job that was asked about; nothing is written if the item has another one by now.
        public var job: JobID
        /// The version that goes with the next question.
        public var version: PictureVersion

        /// A check of an item.
        public init(hash: ItemHash, job: JobID, version: PictureVersion) {
            (self.hash, self.job, self.version) = (hash, job, version)
        }
    }

    /// The part of a source's records that is forgotten before anything is written.
    public enum Forgetting: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// The records of slices that were read.
        case slices
        /// The records of slices, and the keys of known items.
        case keys
    }

    /// The source as it is now; nil for a change that concerns no source.
    public var row: SourceRow?
    /// The part that is forgotten first.
    public var forgets = Forgetting.nothing
    /// Items that are known from now on.
    public var keys: [Key] = []
    /// Items that go to a fleet's queue, instead of a batch of jobs.
    public var handed: [HandedItem] = []
    /// The numbers of items that a fleet is done with.
    public var returned: [Int64] = []
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

    /// Forgets items that a fleet is done with.
    public init(returned: [Int64]) { self.returned = returned }
}
