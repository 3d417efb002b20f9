import DocumentStore
import JobStore
import Logging
import Synchronization

/// Removes the pictures that are kept of documents, when the last job with their content is forgotten.
///
/// Equal content is kept once, so the store is asked whether another job has it. That is done beside the
/// engine, and for all that has been forgotten meanwhile at once.
final class ForgottenPictures: Sendable {
    private struct State {
        var waiting: Set<String> = []
        var work: Task<Void, Never>?
    }

    private let store: JobStore
    private let cache: PictureCache
    private let logger: Logger
    private let state = Mutex(State())

    init(store: JobStore, cache: PictureCache, logger: Logger) {
        self.store = store
        self.cache = cache
        self.logger = logger
    }

    /// Jobs with these contents (SHA-256) have been forgotten.
    func forget(_ contents: [String]) {
        state.withLock { state in
            state.waiting.formUnion(contents)
            guard state.work == nil else { return }
            state.work = Task(priority: .utility) { [self] in await removeAll() }
        }
    }

    /// Waits until the pictures of all that has been forgotten so far are gone.
    func settle() async {
        await state.withLock { $0.work }?.value
        await cache.settle()
    }

    private func removeAll() async {
        while let contents = next() {
            do {
                cache.remove(try await store.contentsOfNoDocument(among: contents))
            } catch {
                logger.warning("the thumbnails of forgotten jobs stay until the cache is full: \(error)")
            }
        }
    }

    private func next() -> Set<String>? {
        state.withLock { state in
            defer { state.waiting = [] }
            if state.waiting.isEmpty { state.work = nil }
            return state.waiting.isEmpty ? nil : state.waiting
        }
    }
}
