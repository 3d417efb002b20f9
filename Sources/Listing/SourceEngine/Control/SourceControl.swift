import JobEngine
import JobModel
import SourceCore
import Vocabulary

/// The interface through which people and programs see and steer sources.
///
/// What changes anything returns after it is durable.
public protocol SourceControl: Sendable {
    /// Reads a recipe, and makes sure that it can be used; cancelling gives that up.
    func check(_ order: RecipeOrder) async throws(SourceRefusal) -> CheckedRecipe
    /// Adds a source by its recipe, or applies another recipe to the one of that name.
    func apply(_ checked: CheckedRecipe) async throws(SourceRefusal) -> (source: SourceSnapshot, isNew: Bool)
    /// All sources, by their names.
    func sources() -> [SourceSnapshot]
    /// All sources that don't run because their recipes can't be read.
    func unreadSources() -> [UnreadSource]
    /// One source.
    func source(_ name: String) throws(SourceRefusal) -> SourceSnapshot
    /// Returns the number of a source's jobs in each state.
    func jobsByState(of name: String) async throws -> [JobState: Int]
    /// Returns the items of all sources that the fleet has, or is to have, with numbers above one, in ascending order.
    func handedItems(after: Int64, limit: Int) async throws -> [HandedItem]
    /// Returns the number of a source's items that the fleet has, or is to have.
    func handedCount(of name: String) async throws -> Int
    /// Forgets items that the fleet is done with, so that their sources may read on.
    func takeBack(_ items: [Int64]) async throws(ControlError)
    /// The pages of a source that were read last, the newest first.
    func pages(of name: String) async throws -> [PageRecord]
    /// Performs an action on a source; a poll that `fetchesMissing` also fetches again what is gone from the disk.
    func steer(
        _ action: SourceAction,
        _ name: String,
        fetchesMissing: Bool
    ) async throws(SourceRefusal) -> SourceSnapshot
    /// Returns the answer to those who may not name secrets and want to remove a source; nil if they may.
    func secretsRefusal(_ name: String) throws(SourceRefusal) -> SourceRefusal?
    /// Removes a source, and cancels what is left of its jobs where that is wanted.
    func remove(_ name: String, cancelsJobs: Bool) async throws(SourceRefusal)
    /// Returns the items that a recipe finds on its first page, or on a given one; nothing is stored, and
    /// cancelling gives it up.
    func tryOut(_ order: RecipeOrder, page: GivenPage?) async throws(SourceRefusal) -> SourceTrial
}

extension SourceControl {
    /// Performs an action on a source; a poll doesn't fetch again what is gone.
    public func steer(_ action: SourceAction, _ name: String) async throws(SourceRefusal) -> SourceSnapshot {
        try await steer(action, name, fetchesMissing: false)
    }

    /// Checks a recipe and applies it.
    public func apply(
        _ order: RecipeOrder
    ) async throws(SourceRefusal) -> (source: SourceSnapshot, isNew: Bool) {
        try await apply(try await check(order))
    }
}

/// A page that somebody has fetched before.
public struct GivenPage: Sendable {
    /// The page.
    public var text: String
    /// The head of its response.
    public var head: SavedHead?

    public init(_ text: String, head: SavedHead? = nil) { (self.text, self.head) = (text, head) }
}

/// A recipe that can be applied.
public struct CheckedRecipe: Sendable {
    let read: ReadRecipe
    let order: RecipeOrder
}

/// A recipe that somebody wants to have applied.
public struct RecipeOrder: Sendable {
    /// The treatment of a source of that name whose list is another.
    public enum Reset: String, CaseIterable, Sendable {
        /// It is read from its beginning; items stay known.
        case cursor
        /// It is read from its beginning, and no item is known.
        case keys
    }

    /// The sources that it may be applied to.
    public enum Target: Sendable {
        /// A new one.
        case new
        /// A new one, or the one of that name.
        case any
    }

    /// The recipe, YAML or JSON.
    public var text: String
    /// The source's name; nil takes the recipe's.
    public var name: String?
    /// The name of a recipe that doesn't say its own.
    public var fallback: String?
    /// The sources that it may be applied to.
    public var target: Target
    /// True if it may name secrets.
    public var maySeeSecrets: Bool
    /// The treatment of a source whose list is another.
    public var reset: Reset?
    /// The file that it comes from.
    var file: String?
    /// The client on whose behalf it is read.
    public var asker: ListerAsker

    /// The longest recipe in bytes.
    public static let maximumLength = RecipeRequest.maximumLength
    /// The name of a recipe that is tried and doesn't say its own.
    public static let trialName = "recipe"

    /// An order.
    public init(
        _ text: String,
        name: String? = nil,
        fallback: String? = nil,
        target: Target = .any,
        maySeeSecrets: Bool,
        reset: Reset? = nil,
        asker: ListerAsker = .daemon
    ) {
        self.text = text
        self.name = name
        self.fallback = fallback
        self.target = target
        self.maySeeSecrets = maySeeSecrets
        self.reset = reset
        self.asker = asker
    }
}

/// The result of trying a recipe on a page.
public struct SourceTrial: Sendable {
    /// The URL that was asked for, secrets unfilled.
    public var request: String
    /// The items that would become jobs.
    public var items: [NewJob]
    /// The number that couldn't be read.
    public var bad: Int
    /// A sentence for each of the first.
    public var complaints: [String]
    /// A sentence for each thing that is odd in the page.
    public var notes: [String]
    /// The next page; nil where there is none.
    public var next: String?
    /// The values of `more` and `total`.
    public var more: Bool?
    public var total: Int?
    /// The sitemaps of an index, and when each was changed.
    public var sitemaps: [(url: String, changed: String?)]
}

/// The reason for which an action on a source is refused.
public enum SourceRefusal: Error, Sendable {
    /// There is no source of that name.
    case noSuchSource(String)
    /// The stored recipe of the source of that name is refused, which the words say why.
    case unusable(String, String)
    /// The recipe of the source of that name could not be read yet.
    case unread(String)
    /// There is one already.
    case nameTaken(String)
    /// The recipe can't be used.
    case badRecipe([RecipeProblem])
    /// The name in the path is another than the recipe's.
    case otherName(String)
    /// The client may not name these secrets.
    case secretNotAllowed([String])
    /// The source names secrets, and who asks may not.
    case hasSecrets(String)
    /// The stored recipe of the source is refused and may name secrets, and who asks may not.
    case mayHaveSecrets(String)
    /// The list is another one, and it isn't said what is to become of what was read of it.
    case needsReset(String)
    /// A page can't be read.
    case page(SourceFailure)
    /// The engine can't do it now.
    case control(ControlError)
}
