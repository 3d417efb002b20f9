import EngineSupport
import FoundationEssentials
import JobCore
import JobModel
import JobStore
import Logging
import SourceCore
import SourceEngine
import Synchronization
import TestSupport
import Vocabulary

@testable import JobEngine
@testable import SourceReading

/// Sources at work over a real store, whose servers and readers say what a test wants.
final class SourceBench {
    let store: JobStore
    let feed: StoreFeed
    let clock: BenchClock
    let engine: SourceEngine
    /// The log of the engine.
    let log = BenchLog()
    private let directory: TemporaryDirectory

    /// Sources over a store; `read` answers for each page.
    init(
        path: String,
        clock: BenchClock = BenchClock(),
        readers: BenchReader.Trouble? = nil,
        read: @escaping BenchReader.Read
    ) throws {
        directory = try TemporaryDirectory(in: "/dev/shm")
        self.clock = clock
        store = try JobStore(path: path)
        feed = StoreFeed(store)
        let log = log
        engine = SourceEngine(
            control: feed,
            queries: StoredQueries(store: store),
            pages: BenchPages(),
            reader: BenchReader(answer: read, trouble: readers),
            configuration: SourceEngineConfiguration(
                pagesDirectory: directory.path,
                secretsDirectories: []
            ),
            now: { clock.now },
            logger: Logger(label: "test") { _ in log },
            rereadInterval: .zero
        )
    }

    /// Stops all sources, and closes the store, from which keys of removed ones may still be going.
    func end() async {
        await engine.stop()
        try? store.close()
    }

    /// Waits until another page of a source was read, which it is within a few looks at the clock.
    func untilRead(_ source: SourceSnapshot) async throws {
        let (feed, clock) = (feed, clock)
        let latest = clock.looks + Self.mostLooks
        let isRead = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await feed.untilRead(source.id)
                return !Task.isCancelled
            }
            group.addTask {
                // Only where it never comes does anybody wait for this.
                for _ in 0..<300 where !Task.isCancelled && clock.looks < latest {
                    try? await Task.sleep(for: .milliseconds(200))
                }
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        guard !isRead else { return }
        let present = try engine.source(source.name)
        throw NeverRead(
            description: "\(source.name) is \(present.condition) and reads no page: \(present.state)"
        )
    }

    /// The most times that the clock is looked at until a page is read.
    private static let mostLooks = 10_000

    /// A source goes on for ever, or waits, and reads nothing.
    private struct NeverRead: Error, CustomStringConvertible {
        var description: String
    }

    /// A recipe of many small things that are kept.
    static func recipe(_ name: String) -> String {
        """
        name: \(name)
        url: http://example.org/\(name)
        items: .[]
        job: {url: .url}
        next: .next
        total: .total
        every: 6h
        pace: 100/s
        """
    }

    /// A page of one item.
    static func page(_ url: String, next: ListedPage.Next) -> Result<ListerAnswer, ListerFailure> {
        var answer = ListerAnswer(items: [ListedItem(url: url)], page: ListedPage())
        (answer.page.listed, answer.page.next, answer.page.total) = (1, next, 10)
        return .success(answer)
    }
}

/// Keeps what is logged.
struct BenchLog: LogHandler {
    let lines = Shared<[String]>([])
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.with { $0.append("\(event.message)") } }
}

/// A clock that a test sets, and that goes on by a second each time somebody looks.
final class BenchClock: Sendable {
    private let moment: Shared<Moment>
    private let looked = Shared(0)

    init(_ moment: Moment = Moment(microseconds: 1_795_243_503_000_000)) { self.moment = Shared(moment) }

    /// The number of times that somebody has looked.
    var looks: Int { looked.with { $0 } }

    var now: Moment {
        looked.with { $0 += 1 }
        return moment.with { moment in
            moment = moment.adding(seconds: 1)
            return moment
        }
    }

    /// Sets the wall clock, by so many seconds.
    func step(seconds: Double) { moment.with { $0.wall = $0.wall.adding(seconds: seconds) } }

    /// Lets time pass.
    func pass(seconds: Double) { moment.with { $0 = $0.adding(seconds: seconds) } }
}

/// A real store for what sources write, without the jobs.
final class StoreFeed: FeedControl {
    let events = EventBus()
    let holdsTransfers = false
    let isOffline = false
    /// The sources of which a page was read, one for each.
    let pages: AsyncStream<Int64>
    private let page: AsyncStream<Int64>.Continuation
    private let store: JobStore
    private let failed = Shared<[String]>([])
    /// The jobs of all pages.
    let submitted = Shared<[NewJob]>([])
    /// A function that is called before something is kept.
    let willKeep = Shared<(@Sendable (SourceWrite) async -> Void)?>(nil)

    init(_ store: JobStore) {
        self.store = store
        (pages, page) = AsyncStream.makeStream()
    }

    /// The refusals of the store.
    var failures: [String] { failed.with { $0 } }

    /// Waits until another page of a source was read.
    func untilRead(_ source: Int64) async {
        for await id in pages where id == source { return }
    }

    func keep(_ write: SourceWrite) async throws(ControlError) {
        await willKeep.with { $0 }?(write)
        var changes = StoreChanges()
        changes.sources = [write]
        do { try store.commit(changes) } catch {
            failed.with { $0.append("\(error)") }
            throw .outOfSpace
        }
        if write.page != nil, let row = write.row { page.yield(row.id) }
    }

    func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch {
        if var write = submission.source {
            write.firstJob = JobID(rawValue: 1)
            submitted.with { $0 += submission.items }
            try await keep(write)
        }
        let batch = Batch(
            id: BatchID(rawValue: 1),
            createdAt: Moment(microseconds: 0),
            submittedBy: nil,
            jobCount: 0,
            jobsByState: [:]
        )
        return AcceptedBatch(batch: batch, jobs: [])
    }

    func steer(_ action: SteeringAction, job: JobID) async throws(ControlError) -> Job { throw .stopping }
}

/// Servers that answer everything.
struct BenchPages: PagePort {
    func fetch(_ request: PageRequest) async -> Result<PageAnswer, PageFetchError> {
        // A list is known by its bytes.
        try? Data("[]".utf8).write(to: URL(filePath: request.file))
        return .success(PageAnswer(status: 200, fields: [], url: request.url, length: 2))
    }

    func keep(_ page: [UInt8], in file: String) -> JobFailure? { nil }
}

/// Readers that find in a page what a test has put there.
struct BenchReader: ReaderPort {
    typealias Read = @Sendable (ListerRequest) async -> Result<ListerAnswer, ListerFailure>

    /// The number of recipes that can't be read before the next one can.
    final class Trouble: Sendable {
        private let count: Atomic<Int>

        init(_ count: Int) { self.count = Atomic(count) }

        var isNow: Bool { count.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 }
        func end() { count.store(0, ordering: .relaxed) }
    }

    var answer: Read
    var trouble: Trouble?

    func recipe(
        _ request: RecipeRequest,
        for asker: ListerAsker
    ) async -> Result<RecipeAnswer, ListerFailure> {
        if trouble?.isNow == true { return .failure(ListerFailure("reader_crashed", "the reader is gone")) }
        return .success(RecipeAnswer(to: request))
    }

    func problems(
        of program: ListerProgram,
        for asker: ListerAsker
    ) async -> Result<[ListerGreeting.Problem], ListerFailure> { .success([]) }

    func read(
        _ request: ListerRequest,
        by program: ListerProgram,
        for asker: ListerAsker
    ) async -> Result<ListerAnswer, ListerFailure> { await answer(request) }
}

/// The store's answers about sources.
struct StoredQueries: SourceQueries {
    let store: JobStore

    func sources() async throws -> [SourceRow] { try await store.sources() }
    func knownItems(_ hashes: [ItemHash], of source: Int64) async throws -> [ItemHash: KnownItem] {
        try await store.knownItems(hashes, of: source)
    }
    func fetchedItems(of source: Int64, after: ItemHash?, limit: Int) async throws -> [FetchedItem] {
        try await store.fetchedItems(of: source, after: after, limit: limit)
    }
    func fetchedItem(_ hash: ItemHash, of source: Int64) async throws -> FetchedItem? {
        try await store.fetchedItem(hash, of: source)
    }
    func job(_ id: JobID) async throws -> Job? { try await store.job(id) }
    func hasKeys(source: Int64) async throws -> Bool { try await store.hasKeys(source: source) }
    func slices(of source: Int64) async throws -> [SliceRow] { try await store.slices(of: source) }
    func pages(of source: Int64) async throws -> [String] { try await store.pages(of: source) }
    func jobsByState(ofSource name: String) async throws -> [JobState: Int] {
        try await store.jobsByState(ofSource: name)
    }
    func unfinishedJobs(ofSource name: String, upTo most: Int) async throws -> Int {
        try await store.unfinishedJobs(ofSource: name, upTo: most)
    }
    func handedItems(after: Int64, limit: Int) async throws -> [HandedItem] {
        try await store.handedItems(after: after, limit: limit)
    }
    func handedItems(ofSource name: String) async throws -> [Int64] {
        try await store.handedItems(ofSource: name)
    }
    func handedCount(ofSource name: String) async throws -> Int {
        try await store.handedCount(ofSource: name)
    }
    func cancellableJobs(ofSource name: String) async throws -> [JobID] {
        try await store.cancellableJobs(ofSource: name)
    }
}
