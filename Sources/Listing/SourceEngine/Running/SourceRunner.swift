import JobEngine
import JobModel
import Logging
import SourceCore
import Synchronization

/// Runs one source: asks for its pages one after the other, and writes what comes of each.
///
/// What it works with is made in ``run()`` and never leaves it; others see copies, made after each step.
final class SourceRunner: Sendable {
    /// A request to a source.
    enum Request: Sendable {
        case poll(fetchesMissing: Bool)
        case more
        case pause(String)
        case resume
        case change(ReadRecipe, file: String?, reset: RecipeOrder.Reset?)
        case remove

        /// True if a page under way is given up for it.
        var cutsPageShort: Bool {
            switch self {
            case .pause, .change, .remove: true
            case .poll(let fetchesMissing): fetchesMissing
            case .more, .resume: false
            }
        }
    }

    enum Message: Sendable {
        case request(Request, reply: @Sendable (Result<SourceSnapshot, ControlError>) -> Void)
        /// It may go on.
        case goOn
    }

    let id: Int64
    let parts: SourceParts
    let snapshot: Mutex<SourceSnapshot>
    /// The last count of its jobs.
    let count = Mutex<LastingCount?>(nil)
    private let stored: StoredSource
    private let slices: [String: SliceMemory]
    private let messages: AsyncStream<Message>
    private let message: AsyncStream<Message>.Continuation
    private let page = PageUnderWay()

    init(
        id: Int64,
        recipe read: ReadRecipe,
        stored: StoredSource,
        slices: [String: SliceMemory] = [:],
        parts: SourceParts
    ) {
        self.id = id
        self.parts = parts
        var stored = stored
        stored.recipe = read.answer
        self.stored = stored
        self.slices = slices
        (messages, message) = AsyncStream.makeStream()
        snapshot = Mutex(
            SourceSnapshot(
                id: id,
                name: read.recipe.name,
                recipeText: read.text,
                shownRecipe: read.shown,
                recipe: read.recipe,
                state: stored.state,
                file: stored.file,
                createdAt: Timestamp(microseconds: stored.createdAt),
                lastReadAt: stored.lastReadAt.map { Timestamp(microseconds: $0) }
            )
        )
        message.yield(.goOn)
    }

    /// Performs a request; returns the source as it is once that is durable.
    func perform(_ request: Request) async throws(ControlError) -> SourceSnapshot {
        if request.cutsPageShort { page.cutShort() }
        let result: Result<SourceSnapshot, ControlError> = await withCheckedContinuation { continuation in
            let outcome = message.yield(.request(request) { continuation.resume(returning: $0) })
            if case .terminated = outcome { continuation.resume(returning: .failure(.stopping)) }
        }
        return try result.get()
    }

    /// Some jobs have gone on: it may read on where it holds for that.
    func jobsMoved() {
        if snapshot.withLock({ $0.isHeld && $0.recipe.mode == .follow }) { message.yield(.goOn) }
    }

    /// Runs it until it is removed, or the task is cancelled.
    func run() async {
        let work = SourceWork(
            id: id,
            snapshot: snapshot.withLock { $0 },
            stored: stored,
            slices: slices,
            page: page,
            parts: parts
        )
        var alarm: Task<Void, Never>?
        defer {
            alarm?.cancel()
            message.finish()
        }
        loop: for await next in messages {
            alarm?.cancel()
            switch next {
            case .request(let request, let reply):
                if request.cutsPageShort { page.requestIsHandled() }
                do throws(ControlError) {
                    try await work.apply(request)
                    publish(work)
                    reply(.success(work.snapshot))
                } catch {
                    reply(.failure(error))
                }
                if case .remove = request, work.isRemoved { break loop }
            case .goOn: break
            }
            guard !Task.isCancelled else { break }
            let (step, message) = (await work.step(), message)
            // Whatever becomes of the pages.
            let refreshes = await work.stepRefresh { message.yield(.goOn) }
            switch step {
            case .again: message.yield(.goOn)
            case .rest(let rest):
                guard let seconds = [rest, refreshes].compactMap(\.self).min() else { break }
                alarm = Task {
                    guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
                    message.yield(.goOn)
                }
            }
            publish(work)
        }
        message.finish()
        // Requests that have come meanwhile are refused.
        for await next in messages {
            if case .request(_, let reply) = next { reply(.failure(.stopping)) }
        }
    }

    private func publish(_ work: SourceWork) {
        let present = work.snapshot
        snapshot.withLock { $0 = present }
    }
}

/// The parts that all sources share.
struct SourceParts: Sendable {
    var control: any FeedControl
    var queries: any SourceQueries
    var pages: any PagePort
    var reader: any ReaderPort
    var configuration: SourceEngineConfiguration
    var now: @Sendable () -> Moment
    var logger: Logger
    /// The newest links of unfinished jobs.
    var links: NewestLinks
    /// The thread on which files are read, which may lie anywhere.
    let files = PatientThread(name: "ff-files")

    var secrets: SecretsFolder { SecretsFolder(directories: configuration.secretsDirectories) }
}
