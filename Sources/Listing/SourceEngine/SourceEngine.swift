import JobEngine
import JobModel
import Logging
import SourceCore
import Synchronization

/// Runs all sources, each in a task of its own, so that one in trouble holds up no other.
///
/// What people ask for is in `Control`, and the work of one source in `Running`.
public final class SourceEngine: SourceControl, Sendable {
    let parts: SourceParts
    let registry = SourceRegistry()
    /// The newest links of unfinished jobs.
    let links: NewestLinks
    /// Sources that were removed, and whose keys are still to be forgotten once this runs.
    private let removed = Mutex<[SourceRow]>([])
    private let follower = Mutex<Task<Void, Never>?>(nil)
    let unread = UnreadSources()
    private let rereader = Mutex<Task<Void, Never>?>(nil)
    /// The time after which recipes that could not be read are tried again.
    private let rereadInterval: Duration

    /// Creates an engine without sources; ``load()`` takes up those in the store, and ``start()`` runs them.
    public init(
        control: any FeedControl,
        queries: any SourceQueries,
        pages: any PagePort,
        reader: any ReaderPort,
        configuration: SourceEngineConfiguration,
        now: @escaping @Sendable () -> Moment,
        logger: Logger,
        links: NewestLinks = NewestLinks(),
        rereadInterval: Duration = .seconds(30)
    ) {
        self.rereadInterval = rereadInterval
        self.links = links
        parts = SourceParts(
            control: control,
            queries: queries,
            pages: pages,
            reader: reader,
            configuration: configuration,
            now: now,
            logger: logger,
            links: links
        )
    }

    /// Begins the sources in the store.
    ///
    /// None of them runs yet, but from here on ``complete(_:)`` knows them, which transfers need that are
    /// taken up after a restart.
    ///
    /// - Throws: the store's errors.
    public func load() async throws {
        let rows = try await parts.queries.sources()
        PageFile.prepare(
            parts.configuration.pagesDirectory,
            keeping: Set(rows.map { "\($0.id).list" })
        )
        registry.reserve(through: rows.map(\.id).max() ?? 0)
        for row in rows {
            guard let name = row.name else {
                removed.withLock { $0.append(row) }
                continue
            }
            // A reader in trouble may miss its deadline, and all sources after it would miss theirs.
            if StoredSource(text: row.state) == nil, !unread.isEmpty {
                unread.add(row, name)
            } else {
                _ = await takeUp(row, name)
            }
        }
    }

    /// Begins to run all sources, and returns at once.
    public func start() {
        for runner in registry.runners { registry.run(runner) }
        let rows = removed.withLock { rows in
            defer { rows = [] }
            return rows
        }
        for row in rows { Task { await purge(row) } }
        let events = parts.control.events.subscribe()
        follower.withLock { $0 = Task { [weak self] in await Self.follow(events) { self?.jobsMoved() } } }
        if !unread.isEmpty { rereader.withLock { $0 = Task { [weak self] in await self?.reread() } } }
    }

    /// Tries again, until all are read, what no reader could read when the sources were loaded.
    private func reread() async {
        while !unread.isEmpty, (try? await Task.sleep(for: rereadInterval)) != nil {
            for (name, row) in unread.all {
                guard !Task.isCancelled else { return }
                let runner = await registry.change { await self.takeUp(row, name) }
                if let runner { registry.run(runner) }
            }
        }
    }

    /// Begins a source of the store; nil where that can't be done, or not now.
    private func takeUp(_ row: SourceRow, _ name: String) async -> SourceRunner? {
        let stored = StoredSource(text: row.state)
        let read: ReadRecipe
        do throws(SourceRefusal) {
            read = try await recipe(of: row, name, stored)
        } catch {
            if case .page(let failure) = error {
                if !unread.contains(name) {
                    parts.logger.error(
                        "the source \(name) waits, since its recipe can't be read now: \(failure.message)"
                    )
                }
                unread.add(row, name, after: failure)
            } else {
                unread.refuse(row, name, because: error.words)
                parts.logger.error("\(SourceRefusal.unusable(name, error.words).words)")
            }
            return nil
        }
        unread.remove(name)
        guard registry[read.recipe.name] == nil else {
            parts.logger.error(
                "the source \(read.recipe.name) is in the store twice: the second is left out"
            )
            return nil
        }
        if stored == nil {
            parts.logger.warning(
                "where the source \(name) stood can't be read: it begins with its first page"
            )
        }
        let slices = (try? await parts.queries.slices(of: row.id)) ?? []
        let known = slices.compactMap { slice in
            StoredSource.value(SliceMemory.self, slice.body).map { (slice.key, $0) }
        }
        let runner = SourceRunner(
            id: row.id,
            recipe: read,
            stored: stored
                ?? StoredSource(createdAt: parts.now().wall.microseconds, file: nil, recipe: read.answer),
            slices: Dictionary(known) { first, _ in first },
            parts: parts
        )
        registry.add(runner)
        return runner
    }

    /// The recipe of a source in the store: what was read of it when it was applied, or else its text, read
    /// anew.
    private func recipe(
        of row: SourceRow,
        _ name: String,
        _ stored: StoredSource?
    ) async throws(SourceRefusal) -> ReadRecipe {
        if let answer = stored?.recipe, answer.problems.isEmpty,
            let read = try? ReadRecipe(answer, of: row.recipe, name: name)
        {
            return read
        }
        return try await parts.read(stored: row.recipe, name: name)
    }

    /// Stops all sources.
    ///
    /// Pages under way are given up; the next run of the daemon asks for them again.
    public func stop() async {
        let rereader = rereader.withLock { $0 }
        rereader?.cancel()
        await rereader?.value
        let tasks = registry.end()
        follower.withLock { $0?.cancel() }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Calls `notify` when jobs have moved, at most ten times a second.
    private static func follow(_ events: EventBus.Subscription, _ notify: () -> Void) async {
        var iterator = events.makeAsyncIterator()
        while !Task.isCancelled {
            guard !(await iterator.nextPieces()).isEmpty else { return }
            notify()
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func jobsMoved() {
        for runner in registry.runners { runner.jobsMoved() }
    }
}

/// Configuration of the source engine.
public struct SourceEngineConfiguration: Sendable {
    /// The folder that pages lie in while they are read; the daemon's own.
    public var pagesDirectory: String
    /// The folders that secrets are looked for in, the first that has one counts.
    public var secretsDirectories: [String]
    /// The longest that reading and checking a recipe, or trying it, may take: a server may be slow, and others
    /// may have to be waited for.
    public var patience = Duration.seconds(120)

    public init(pagesDirectory: String, secretsDirectories: [String]) {
        self.pagesDirectory = pagesDirectory
        self.secretsDirectories = secretsDirectories
    }
}
