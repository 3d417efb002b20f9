import JobEngine
import JobModel
import Logging
import SourceCore
import SourceEngine
import Synchronization
import Vocabulary

/// An engine that keeps what is submitted under its key, as the real one does, and can end or refuse.
final class NotedEngine: FeedControl {
    private struct State {
        var submissions: [Submission] = []
        var batches: [String: Batch] = [:]
        var refusals: [ControlError] = []
        var endsAfter: (count: Int, isCommitted: Bool)?
        var waiter: CheckedContinuation<Void, Never>?
        var hasEnded = false
    }

    private let state = Mutex(State())
    let events = EventBus()
    let holdsTransfers = false
    let isOffline = false

    var submissions: [Submission] { state.withLock { $0.submissions } }
    var urls: [String] { submissions.flatMap(\.items).map(\.url.text) }

    func refuse(times: Int, with error: ControlError) {
        state.withLock { $0.refusals = Array(repeating: error, count: times) }
    }

    /// Has the daemon end with a batch: just after it was committed, or just before.
    func end(after count: Int, isCommitted: Bool) {
        state.withLock { state in
            state.endsAfter = (count, isCommitted)
            state.hasEnded = false
        }
    }

    /// Has it take whatever comes.
    func goOn() { state.withLock { ($0.endsAfter, $0.hasEnded) = (nil, false) } }

    func untilEnded() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasEnded { state.waiter = continuation }
                return state.hasEnded
            }
            if isOver { continuation.resume() }
        }
    }

    func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch {
        let (result, waiter) = state.withLock { state in Self.submit(submission, &state) }
        waiter?.resume()
        return try result.get()
    }

    private static func submit(
        _ submission: Submission,
        _ state: inout State
    ) -> (Result<AcceptedBatch, ControlError>, CheckedContinuation<Void, Never>?) {
        if !state.refusals.isEmpty { return (.failure(state.refusals.removeFirst()), nil) }
        let key = submission.idempotency?.key ?? ""
        let ends = state.endsAfter
        if let ends { state.endsAfter = (ends.count - 1, ends.isCommitted) }
        let isEnd = ends?.count == 1
        var batch = state.batches[key]
        if batch == nil, !(isEnd && ends?.isCommitted == false) {
            batch = Batch(
                id: BatchID(rawValue: Int64(state.batches.count + 1)),
                createdAt: Moment(microseconds: 0),
                submittedBy: submission.submittedBy,
                jobCount: submission.items.count,
                jobsByState: [:]
            )
            state.batches[key] = batch
            state.submissions.append(submission)
        }
        guard !isEnd, let batch else {
            state.endsAfter = (0, false)
            state.hasEnded = true
            defer { state.waiter = nil }
            return (.failure(.stopping), state.waiter)
        }
        // An engine that has ended takes nothing more.
        if let ends, ends.count <= 0, state.hasEnded { return (.failure(.stopping), nil) }
        return (.success(AcceptedBatch(batch: batch, jobs: [])), nil)
    }

    func keep(_ write: SourceWrite) async throws(ControlError) {}
    func steer(_ action: SteeringAction, job: JobID) async throws(ControlError) -> Job {
        throw .noSuchJob(job)
    }
}

/// Sources of which there are none, and none can be added.
struct NoSources: SourceControl {
    /// The reason why no recipe can be read; nil if it can.
    var failure: SourceFailure?

    private func refusal(_ name: String) -> SourceRefusal { .noSuchSource(name) }

    func check(_ order: RecipeOrder) async throws(SourceRefusal) -> CheckedRecipe {
        throw failure.map { .page($0) } ?? refusal("here")
    }
    func apply(_ checked: CheckedRecipe) async throws(SourceRefusal) -> (source: SourceSnapshot, isNew: Bool)
    {
        throw refusal("here")
    }
    func sources() -> [SourceSnapshot] { [] }
    func unreadSources() -> [UnreadSource] { [] }
    func source(_ name: String) throws(SourceRefusal) -> SourceSnapshot { throw refusal(name) }
    func jobsByState(of name: String) async throws -> [JobState: Int] { [:] }
    func handedItems(after: Int64, limit: Int) async throws -> [HandedItem] { [] }
    func handedCount(of name: String) async throws -> Int { 0 }
    func takeBack(_ items: [Int64]) async throws(ControlError) {}
    func pages(of name: String) async throws -> [PageRecord] { [] }
    func steer(
        _ action: SourceAction,
        _ name: String,
        fetchesMissing: Bool
    ) async throws(SourceRefusal) -> SourceSnapshot {
        throw refusal(name)
    }
    func secretsRefusal(_ name: String) throws(SourceRefusal) -> SourceRefusal? { throw refusal(name) }
    func remove(_ name: String, cancelsJobs: Bool) async throws(SourceRefusal) { throw refusal(name) }
    func tryOut(_ order: RecipeOrder, page: GivenPage?) async throws(SourceRefusal) -> SourceTrial {
        throw refusal("here")
    }
}

/// The lines of a log.
final class NotedLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger {
        Logger(label: "test") { [self] _ in
            Handler { line in self.lines.withLock { $0.append(line) } }
        }
    }

    /// Waits until a line has these words.
    func wait(for words: String) async {
        while !all.contains(where: { $0.contains(words) }) { try? await Task.sleep(for: .milliseconds(5)) }
    }

    private struct Handler: LogHandler {
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]
        let write: @Sendable (String) -> Void

        init(write: @escaping @Sendable (String) -> Void) { self.write = write }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { write("\(event.level): \(event.message)") }
    }
}
