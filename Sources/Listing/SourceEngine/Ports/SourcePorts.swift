import JobCore
import JobModel
import SourceCore
import Vocabulary

/// Fetches a page into a file.
public protocol PagePort: Sendable {
    /// Fetches a page; cancelling gives it up.
    func fetch(_ request: PageRequest) async -> Result<PageAnswer, PageFetchError>
    /// Writes a page that somebody has handed over to a file, by the rules for those that are fetched; returns why
    /// it can't be written, nil if it was.
    func keep(_ page: [UInt8], in file: String) -> JobFailure?
}

/// Reads recipes and pages, in processes of its own; cancelling ends them.
public protocol ReaderPort: Sendable {
    /// Reads a recipe's text; the reader chooses the request's id.
    func recipe(
        _ request: RecipeRequest,
        for asker: ListerAsker
    ) async -> Result<RecipeAnswer, ListerFailure>
    /// Returns the problems of a program's expressions; empty if there are none.
    func problems(
        of program: ListerProgram,
        for asker: ListerAsker
    ) async -> Result<[ListerGreeting.Problem], ListerFailure>
    /// Reads a page; the reader chooses the request's id.
    func read(
        _ request: ListerRequest,
        by program: ListerProgram,
        for asker: ListerAsker
    ) async -> Result<ListerAnswer, ListerFailure>
}

/// Reads stored data of sources; all that is written goes through the engine.
public protocol SourceQueries: Sendable {
    /// All sources, those that were removed and still have keys included, by ascending number.
    func sources() async throws -> [SourceRow]
    /// Returns those of the items that a source knows.
    func knownItems(_ hashes: [ItemHash], of source: Int64) async throws -> [ItemHash: KnownItem]
    /// The items of a source in the order of their hashes, from after one on; nil begins with the first.
    func fetchedItems(of source: Int64, after: ItemHash?, limit: Int) async throws -> [FetchedItem]
    /// The item of a source with a hash; nil if the source doesn't know it.
    func fetchedItem(_ hash: ItemHash, of source: Int64) async throws -> FetchedItem?
    /// A job; nil if there is none.
    func job(_ id: JobID) async throws -> Job?
    /// Returns whether a source knows any item.
    func hasKeys(source: Int64) async throws -> Bool
    /// Returns the records of the slices of a source.
    func slices(of source: Int64) async throws -> [SliceRow]
    /// The pages of a source that were read last, the newest first.
    func pages(of source: Int64) async throws -> [String]
    /// Returns the number of a source's jobs in each state; states without jobs are left out.
    func jobsByState(ofSource name: String) async throws -> [JobState: Int]
    /// Returns the number of a source's jobs that are queued or downloading, and of its items that a fleet has or is
    /// to have; each is counted up to a limit.
    func unfinishedJobs(ofSource name: String, upTo most: Int) async throws -> Int
    /// Returns the items of all sources that a fleet has, or is to have, with numbers above one, in ascending order.
    func handedItems(after: Int64, limit: Int) async throws -> [HandedItem]
    /// The numbers of a source's items that a fleet has, or is to have.
    func handedItems(ofSource name: String) async throws -> [Int64]
    /// The number of a source's items that a fleet has, or is to have.
    func handedCount(ofSource name: String) async throws -> Int
    /// The jobs of a source that can still be cancelled, by ascending id.
    func cancellableJobs(ofSource name: String) async throws -> [JobID]
}
