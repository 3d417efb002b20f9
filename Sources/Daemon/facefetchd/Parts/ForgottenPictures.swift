import DocumentStore
import JobStore
import Logging
import Synchronization

/// Removes the pictures that are kept of documents, when the last job with their content is forgotten.
///
/// Equal content is kept once, so the store is asked whether another job has it. That is done beside the
/// engine, and for all that has been forgotten meanwhile at once.
final class ForgottenPictures: Part {
    private struct State {
        var waiting: Set<String> = []
        var work: Task<Void, Never>?
        /// The time to give up; nil while the daemon runs.
        var deadline: ContinuousClock.Instant?
    }

    /// The number of contents that are looked up and removed at once: a daemon that stops waits for them.
    private static let atOnce = 5_000

    private let store: JobStore
    private let cache: PictureCache
    private let logger: Logger
    private let state = Mutex(State())

    init(on ground: Ground, cache: PictureCache) {
        (store, self.cache, logger) = (ground.store, cache, ground.logger)
    }

    /// Jobs with these contents (SHA-256) have been forgotten.
    func forget(_ contents: [String]) {
        state.withLock { state in
            state.waiting.formUnion(contents)
            guard state.work == nil else { return }
            state.work = Task(priority: .utility) { [self] in await removeAll() }
        }
    }

    /// Waits until the pictures of all that has been forgotten so far are gone, or that takes too long.
    func finish() async {
        let work = state.withLock { state in
            state.deadline = .now + .seconds(1)
            return state.work
        }
        await work?.value
        await cache.settle()
        let left = state.withLock { $0.waiting.count }
        if left > 0 {
            logger.notice("pictures of \(left) forgotten documents stay until the cache needs their room")
        }
    }

    private func removeAll() async {
        while let contents = next() {
            do {
                cache.remove(try await store.contentsOfNoDocument(among: contents))
                await cache.settle()
            } catch {
                logger.warning("the thumbnails of forgotten jobs stay until the cache is full: \(error)")
            }
        }
    }

    private func next() -> Set<String>? {
        state.withLock { state in
            guard !state.waiting.isEmpty, state.deadline.map({ .now < $0 }) ?? true else {
                state.work = nil
                return nil
            }
            let some = Set(state.waiting.prefix(Self.atOnce))
            state.waiting.subtract(some)
            return some
        }
    }
}
