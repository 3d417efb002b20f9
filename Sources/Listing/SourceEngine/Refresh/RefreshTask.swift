import JobModel
import SourceCore
import Synchronization

/// A batch of questions whether pictures have changed, asked beside the source's pages.
final class RefreshTask: Sendable {
    /// The result of a batch.
    struct Result: Sendable {
        /// The batch's progress, and the counts of answers.
        var report: RefreshReport
        /// The items whose pictures are as they were.
        var unchanged: [SourceWrite.Check]
        /// The items of whose pictures there are other versions.
        var changed: [FetchedItem]
    }

    private let outcome = Mutex<Result??>(nil)
    private let task: Mutex<Task<Void, Never>?>

    /// Begins a batch; `ended` is called once there is something to take.
    init(_ batch: RefreshVisit, ended: @escaping @Sendable () -> Void) {
        task = Mutex(nil)
        let begun = Task {
            let result = await batch.run()
            outcome.withLock { $0 = .some(result) }
            ended()
        }
        task.withLock { $0 = begun }
    }

    /// The batch's result; nil while it is under way.
    ///
    /// One that couldn't read the store, or was given up, comes to nothing.
    var result: Result?? { outcome.withLock { $0 } }

    /// Gives it up.
    func cancel() { task.withLock { $0 }?.cancel() }
}

/// Goes through the items of a source, and asks about some of their pictures.
struct RefreshVisit: Sendable {
    let source: Int64
    let after: ItemHash?
    let since: Double
    let check: PictureCheck
    let queries: any SourceQueries
    let now: @Sendable () -> Moment

    /// The number of items read at once.
    private static let page = 256

    /// Asks about the pictures, one after the other; nil if the store can't be read, or the batch was
    /// cancelled.
    func run() async -> RefreshTask.Result? {
        var batch = RefreshBatch(since: since)
        var (unchanged, changed): ([SourceWrite.Check], [FetchedItem]) = ([], [])
        var place = after
        while true {
            guard
                let items = try? await queries.fetchedItems(of: source, after: place, limit: Self.page)
            else { return nil }
            for item in items {
                place = item.hash
                if batch.pass(RefreshBatch.Item(item)) {
                    let outcome = await check.outcome(of: item, now: now().wall)
                    guard let outcome, !Task.isCancelled else { return nil }
                    batch.record(outcome, of: "job \(item.job.rawValue)")
                    switch outcome {
                    case .answered(.unchanged(let validators)):
                        let version = PictureVersion(validators, seenAt: now().steady)
                        unchanged.append(.init(hash: item.hash, job: item.job, version: version))
                    case .answered(.changed): changed.append(item)
                    default: break
                    }
                }
                guard !batch.isFull else {
                    return .init(report: batch.report, unchanged: unchanged, changed: changed)
                }
            }
            guard items.count == Self.page else { break }
        }
        batch.reachedEnd()
        return .init(report: batch.report, unchanged: unchanged, changed: changed)
    }
}

extension RefreshBatch.Item {
    /// An item of the store, whose document may have been removed by somebody: then nobody wants it.
    init(_ item: FetchedItem) {
        // A document that somebody let the daemon remove looks like one removed to make room, except that its
        // source's documents stay.
        let isThere = item.path.map(PageFile.exists) ?? item.isEvictable
        self.init(
            place: RefreshRound.Place(high: item.hash.high, low: item.hash.low),
            hasDocument: item.isFetched && isThere,
            isFixed: item.isFixed,
            lastAsked: item.version.seenAt.map { Double($0.microseconds) / 1_000_000 }
        )
    }
}
