import CurlTransfer
import JobModel
import Logging

/// The endings of jobs, as one who follows them is given them.
public struct FollowedEndings<Item: Sendable>: Sendable {
    /// Has a function called whenever a job may have come to an end.
    let tell: @Sendable (_ news: @escaping @Sendable () -> Void) -> Void
    /// Returns the endings that are asked for.
    let page: @Sendable (EndingQuery) async throws -> FollowedPage<Item>

    /// Creates endings that are read by functions.
    ///
    /// - Parameters:
    ///   - tell: Keeps a function, and calls it whenever a job may have come to an end; called once, before the first
    ///     page is asked for.
    ///   - page: Returns the endings that are asked for, by ascending number.
    public init(
        tell: @escaping @Sendable (_ news: @escaping @Sendable () -> Void) -> Void,
        page: @escaping @Sendable (EndingQuery) async throws -> FollowedPage<Item>
    ) {
        (self.tell, self.page) = (tell, page)
    }
}

/// The endings after a number.
public struct FollowedPage<Item: Sendable>: Sendable {
    /// The endings, by ascending number.
    public var items: [Item]
    /// The number of endings on all pages.
    public var total: Int
    /// The number up to which endings may have been forgotten.
    public var oldest: Int64
    /// The number of the latest ending of all.
    public var newest: Int64

    /// Creates a page; its numbers are those of endings, which only grow.
    public init(items: [Item], total: Int, oldest: Int64, newest: Int64) {
        (self.items, self.total, self.oldest, self.newest) = (items, total, oldest, newest)
    }

    /// True if there are more endings than these.
    var hasMore: Bool { total > items.count }
}

/// News of endings.
struct EndingNews<Item: Sendable>: Sendable {
    /// True if a job may have ended.
    var hasEndings = false
    /// The endings, if the thread has asked for them.
    var page: Result<FollowedPage<Item>, any Error>?
}

extension FollowerThread {
    /// Creates one that follows endings, and keeps in a file how far it is.
    ///
    /// - Parameter begin: Returns the thread's work, which asks for endings by a function; they come as news.
    convenience init<Item>(
        _ kind: Kind,
        logger: Logger,
        following endings: FollowedEndings<Item>,
        file: FollowerFile,
        idle: Loop.Status,
        begin: @escaping @Sendable (_ ask: @escaping @Sendable (EndingQuery) -> Void) -> Loop
    ) where Loop.News == EndingNews<Item> {
        self.init(kind, logger: logger, nothing: EndingNews(), idle: idle, whenOff: file.remove) { mailbox in
            endings.tell { mailbox.post { $0.news.hasEndings = true } }
            return begin { query in
                Task {
                    let page: Result<FollowedPage<Item>, any Error>
                    do { page = .success(try await endings.page(query)) } catch { page = .failure(error) }
                    mailbox.post { $0.news.page = page }
                }
            }
        }
    }
}
