import JobCore
import JobEngine
import ListerProtocol
import Logging
import RecipeFile
import SourceCore
import Synchronization

/// Runs all sources: each by itself, so that the trouble of one is its own.
public final class SourceEngine: SourceControl, Sendable {
    private struct State {
        var runners: [String: SourceRunner] = [:]
        var tasks: [Int64: Task<Void, Never>] = [:]
        var lastID: Int64 = 0
        /// Sources that were removed, and whose keys are still to be forgotten.
        var removed: [SourceRow] = []
        var hasEnded = false
    }

    let parts: SourceParts
    private let state = Mutex(State())
    private let follower = Mutex<Task<Void, Never>?>(nil)
    /// What changes which sources there are is done one after the other.
    private let turnstile = Turnstile()

    /// Sources that haven't begun.
    public init(
        control: any FeedControl,
        queries: any SourceQueries,
        pages: any PagePort,
        reader: any ReaderPort,
        configuration: SourceEngineConfiguration,
        now: @escaping @Sendable () -> Moment,
        logger: Logger
    ) {
        parts = SourceParts(
            control: control,
            queries: queries,
            pages: pages,
            reader: reader,
            configuration: configuration,
            now: now,
            logger: logger
        )
    }

    /// Takes up what the store has; nothing runs yet, and requests for pictures can be completed.
    ///
    /// - Throws: what the store throws.
    public func load() async throws {
        let rows = try await parts.queries.sources()
        PageFile.prepare(
            parts.configuration.pagesDirectory,
            keeping: Set(rows.map { "\($0.id).list" })
        )
        state.withLock { $0.lastID = max($0.lastID, rows.map(\.id).max() ?? 0) }
        for row in rows {
            guard let name = row.name else {
                state.withLock { $0.removed.append(row) }
                continue
            }
            await takeUp(row, name)
        }
    }

    /// Begins to run all sources; nothing waits for one.
    public func start() {
        let (runners, removed) = state.withLock { state in
            defer { state.removed = [] }
            return (Array(state.runners.values), state.removed)
        }
        for runner in runners { begin(runner) }
        for row in removed { Task { await purge(row) } }
        let events = parts.control.events.subscribe()
        follower.withLock { $0 = Task { [weak self] in await Self.follow(events) { self?.jobsMoved() } } }
    }

    private func takeUp(_ row: SourceRow, _ name: String) async {
        let recipe: Recipe
        do throws(RecipeRefusal) {
            recipe = try RecipeFile.read(row.recipe, name: name)
        } catch {
            parts.logger.error("the source \(name) can't be taken up, for its recipe isn't one: \(error)")
            return
        }
        let stored = StoredSource(text: row.state)
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
            recipe: recipe,
            recipeText: row.recipe,
            stored: stored ?? StoredSource(createdAt: parts.now().wall.microseconds, file: nil),
            slices: Dictionary(known) { first, _ in first },
            parts: parts
        )
        state.withLock { $0.runners[name] = runner }
    }

    private func begin(_ runner: SourceRunner) {
        let name = runner.snapshot.withLock { $0.name }
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.runners[name] = runner
            state.tasks[runner.id] = Task { await runner.run() }
        }
    }

    /// Stops all sources; what is under way is given up, and begun anew by the next run.
    public func stop() async {
        let tasks = state.withLock { state in
            state.hasEnded = true
            defer { state.tasks = [:] }
            return Array(state.tasks.values)
        }
        follower.withLock { $0?.cancel() }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Lets sources that hold look again, at most ten times a second.
    private static func follow(_ events: EventBus.Subscription, _ tell: () -> Void) async {
        var iterator = events.makeAsyncIterator()
        while !Task.isCancelled {
            guard !(await iterator.nextPieces()).isEmpty else { return }
            tell()
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func jobsMoved() {
        for runner in state.withLock({ Array($0.runners.values) }) { runner.jobsMoved() }
    }

    /// Forgets the keys that are left of a source that was removed.
    private func purge(_ given: SourceRow) async {
        var row = given
        row.name = nil
        var write = SourceWrite(row)
        write.forgets = .keys
        while !Task.isCancelled {
            do {
                try await parts.control.keep(write)
                guard try await parts.queries.hasKeys(source: row.id) else { return }
            } catch ControlError.outOfSpace {
                try? await Task.sleep(for: .seconds(5))
            } catch {
                return
            }
        }
    }

    func runner(_ name: String) throws(SourceRefusal) -> SourceRunner {
        guard let runner = state.withLock({ $0.runners[name] }) else { throw .noSuchSource(name) }
        return runner
    }
}

// MARK: - What is asked for

extension SourceEngine {
    public func sources() -> [SourceSnapshot] {
        let runners = state.withLock { Array($0.runners.values) }
        return runners.map { $0.snapshot.withLock { $0 } }.sorted { $0.name < $1.name }
    }

    public func source(_ name: String) throws(SourceRefusal) -> SourceSnapshot {
        try runner(name).snapshot.withLock { $0 }
    }

    public func jobsByState(of name: String) async throws -> [JobState: Int] {
        try await parts.queries.jobsByState(ofSource: name)
    }

    public func pages(of name: String) async throws -> [PageRecord] {
        let id = try runner(name).id
        return try await parts.queries.pages(of: id).compactMap { StoredSource.value(PageRecord.self, $0) }
    }

    public func steer(
        _ steering: SourceSteering,
        _ name: String
    ) async throws(SourceRefusal)
        -> SourceSnapshot
    {
        let runner = try runner(name)
        do throws(ControlError) {
            return switch steering {
            case .poll: try await runner.ask(.poll(fetchesMissing: false))
            case .pollMissing: try await runner.ask(.poll(fetchesMissing: true))
            case .more: try await runner.ask(.more)
            case .pause: try await runner.ask(.pause(""))
            case .resume: try await runner.ask(.resume)
            }
        } catch {
            throw .control(error)
        }
    }

    public func apply(
        _ order: RecipeOrder
    ) async throws(SourceRefusal) -> (
        source: SourceSnapshot, isNew: Bool
    ) {
        let recipe = try await checked(order)
        let result: Result<(source: SourceSnapshot, isNew: Bool), SourceRefusal> = await turnstile.pass {
            do throws(SourceRefusal) {
                return .success(try await self.apply(recipe, order))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The recipe of an order, once it is sure that it can be used, and that who orders it may.
    func checked(
        _ order: RecipeOrder,
        fallback: String? = nil
    ) async throws(SourceRefusal) -> Recipe {
        let recipe: Recipe
        do throws(RecipeRefusal) {
            recipe = try RecipeFile.read(order.text, name: order.name ?? order.fallback ?? fallback)
        } catch {
            throw .badRecipe(error.problems)
        }
        if let name = order.name, name != recipe.name { throw .otherName(recipe.name) }
        guard order.maySeeSecrets || recipe.secrets.isEmpty else { throw .secretNotAllowed(recipe.secrets) }
        for program in [ListerProgram(recipe), ListerProgram(slicesOf: recipe)].compactMap(\.self) {
            switch await parts.reader.problems(of: program) {
            case .success(let problems) where problems.isEmpty: break
            case .success(let problems):
                throw .badRecipe(problems.map { RecipeProblem($0.field, $0.message) })
            case .failure(let failure):
                throw .page(SourceFailure(.readerCrashed, failure.message))
            }
        }
        return recipe
    }

    private func apply(
        _ recipe: Recipe,
        _ order: RecipeOrder
    ) async throws(SourceRefusal) -> (source: SourceSnapshot, isNew: Bool) {
        guard let runner = state.withLock({ $0.runners[recipe.name] }) else {
            return (try await add(recipe, order), true)
        }
        if case .new = order.target { throw .nameTaken(recipe.name) }
        let before = runner.snapshot.withLock { $0 }
        let isOther = before.recipe.url != recipe.url || before.recipe.kind != recipe.kind
        if isOther, order.reset == nil { throw .needsReset(recipe.name) }
        if before.recipe == recipe, before.recipeText == order.text, before.file == order.file,
            order.reset == nil
        {
            return (before, false)
        }
        do throws(ControlError) {
            let reset: SourceRunner.Reset? =
                switch order.reset {
                case nil: nil
                case .cursor?: .cursor
                case .keys?: .keys
                }
            let wish = SourceRunner.Wish.change(recipe, text: order.text, file: order.file, reset: reset)
            return (try await runner.ask(wish), false)
        } catch {
            throw .control(error)
        }
    }

    private func add(_ recipe: Recipe, _ order: RecipeOrder) async throws(SourceRefusal) -> SourceSnapshot {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let stored = StoredSource(createdAt: parts.now().wall.microseconds, file: order.file)
        let runner = SourceRunner(
            id: id,
            recipe: recipe,
            recipeText: order.text,
            stored: stored,
            parts: parts
        )
        let row = SourceRow(id: id, name: recipe.name, recipe: order.text, state: stored.text)
        do throws(ControlError) {
            try await parts.control.keep(SourceWrite(row))
        } catch {
            throw .control(error)
        }
        begin(runner)
        return runner.snapshot.withLock { $0 }
    }

    public func remove(_ name: String, cancelsJobs: Bool) async throws(SourceRefusal) {
        let result: Result<Void, SourceRefusal> = await turnstile.pass {
            do throws(SourceRefusal) {
                return .success(try await self.remove(name))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        guard cancelsJobs else { return }
        let jobs: [JobID]
        do { jobs = try await parts.queries.cancellableJobs(ofSource: name) } catch {
            throw .control(.outOfSpace)
        }
        for job in jobs { _ = try? await parts.control.steer(.cancel, job: job) }
    }

    private func remove(_ name: String) async throws(SourceRefusal) {
        let runner = try runner(name)
        // A page under way isn't worth waiting for.
        do throws(ControlError) {
            let last = try await runner.ask(.remove)
            state.withLock { state in
                state.runners[name] = nil
                state.tasks[runner.id] = nil
            }
            let row = SourceRow(id: runner.id, name: nil, recipe: last.recipeText, state: "{}")
            Task { await purge(row) }
        } catch {
            throw .control(error)
        }
    }
}
