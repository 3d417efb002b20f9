import JobModel
import JobStore
import Logging
import TestSupport
import Vocabulary

@testable import JobEngine
@testable import SourceCore
@testable import SourceEngine

/// The sources of one run of the daemon: the real work of each, a step at a time, by simulated servers and readers.
///
/// Of `SourceRunner` it has the order in which steps and requests come, without its clock.
final class SimulatedSources: @unchecked Sendable {
    /// A source at work.
    final class Runner {
        let list: SimulatedList
        let work: SourceWork
        let page: PageUnderWay
        var snapshot: SourceSnapshot
        var requests: [SourceRunner.Request] = []
        var isBusy = false
        /// True if something has come while it was busy.
        var isCalled = false
        /// The time at which it goes on by itself.
        var alarm: (at: Tick, serial: Int) = (0, 0)

        init(_ list: SimulatedList, _ work: SourceWork, _ page: PageUnderWay) {
            (self.list, self.work, self.page, snapshot) = (list, work, page, work.snapshot)
        }
    }

    unowned let life: Life
    let executor = WorldExecutor()
    private(set) var runners: [Int: Runner] = [:]
    private lazy var lister = SimulatedLister(self)
    private lazy var parts = SourceParts(
        control: SimulatedSourceControl(self),
        queries: SimulatedQueries(self),
        pages: lister,
        reader: lister,
        configuration: SourceEngineConfiguration(
            pagesDirectory: world.directory.path,
            secretsDirectories: []
        ),
        now: { [unowned life] in life.moment },
        logger: Logger(label: "sources") { _ in SwiftLogNoOpLogHandler() },
        links: NewestLinks()
    )
    /// What tasks wait for, to be called when the daemon is gone, by the numbers under which they wait.
    private var waiting: [Int: (list: Int?, giveUp: () -> Void)] = [:]
    private var serial = 0

    init(_ life: Life) { self.life = life }

    private var world: World { life.world }

    // MARK: - Beginning and end

    /// Takes up the sources in the store.
    func begin() {
        guard !world.scenario.lists.isEmpty else { return }
        perform { sources in
            let rows = try? await sources.parts.queries.sources()
            for row in rows ?? [] {
                guard let stored = StoredSource(text: row.state), let name = row.name else { continue }
                sources.run(name, stored)
            }
        }
    }

    /// Adds a source that reads a list, unless there is one.
    func add(_ number: Int) {
        let list = world.scenario.lists[number]
        guard runners[number] == nil else { return }
        let stored = StoredSource(
            createdAt: world.reading.wall.microseconds,
            file: nil,
            recipe: RecipeAnswer(pieces: [], shown: nil)
        )
        let row = SourceRow(id: Int64(number + 1), name: list.name, recipe: "", state: stored.text)
        perform { sources in
            do {
                try await sources.parts.control.keep(SourceWrite(row))
            } catch {
                return sources.later(60) { sources.add(number) }
            }
            sources.run(list.name, stored)
        }
    }

    private func run(_ name: String, _ stored: StoredSource) {
        guard let list = world.scenario.lists.first(where: { $0.name == name }), runners[list.number] == nil,
            let recipe = try? list.recipe()
        else { return }
        let id = Int64(list.number + 1)
        let snapshot = SourceSnapshot(
            id: id,
            name: name,
            recipeText: "",
            shownRecipe: "",
            recipe: recipe,
            state: stored.state,
            createdAt: Timestamp(microseconds: stored.createdAt)
        )
        let page = PageUnderWay(executor: executor)
        var chance = Chance(world.scenario.seed, "source", list.number, life.number)
        let work = SourceWork(
            id: id,
            snapshot: snapshot,
            stored: stored,
            slices: [:],
            page: page,
            parts: parts,
            generator: SeededGenerator(seed: chance.seed())
        )
        let runner = Runner(list, work, page)
        runners[list.number] = runner
        world.promises.lists.begins(runner, in: world)
        later(0) { [unowned self] in goOn(list.number) }
    }

    /// Ends all tasks together with the daemon, which hears no more of them.
    func leave() {
        for key in waiting.keys.sorted() { waiting.removeValue(forKey: key)?.giveUp() }
        executor.drain()
        runners = [:]
    }

    // MARK: - Steps

    /// Asks something of a source.
    func ask(_ request: SourceRunner.Request, of number: Int) {
        guard let runner = runners[number] else { return }
        runner.requests.append(request)
        if request.cutsPageShort {
            runner.page.cutShort()
            executor.drain()
        }
        goOn(number)
    }

    /// Calls those that hold until some of their jobs are through.
    func jobsMoved() {
        for number in runners.keys.sorted() {
            guard let runner = runners[number], runner.snapshot.isHeld, !runner.list.rules.isLazy else {
                continue
            }
            goOn(number)
        }
    }

    /// Stops the clocks by which sources sleep, as far as they stand still while the machine does.
    func sleep(for seconds: Double) {
        for number in runners.keys.sorted() {
            guard let runner = runners[number], runner.alarm.at > world.now else { continue }
            setAlarm(runner, after: Double(runner.alarm.at - world.now) / 1_000_000 + seconds)
        }
    }

    private func setAlarm(_ runner: Runner, after seconds: Double) {
        serial += 1
        // Sleep ends after its time, and not before it.
        let seconds = seconds + 0.001
        runner.alarm = (world.now + Tick(seconds * 1_000_000), serial)
        let (alarm, number) = (serial, runner.list.number)
        later(seconds) { [unowned self] in
            if runners[number]?.alarm.serial == alarm { goOn(number) }
        }
    }

    private func goOn(_ number: Int) {
        guard let runner = runners[number] else { return }
        guard !runner.isBusy else { return runner.isCalled = true }
        (runner.isBusy, runner.isCalled, runner.alarm) = (true, false, (0, 0))
        let request = runner.requests.isEmpty ? nil : runner.requests.removeFirst()
        perform { sources in
            guard let runner = sources.runners[number] else { return }
            if let request {
                if request.cutsPageShort { runner.page.requestIsHandled() }
                let isKept: Void? = try? await runner.work.apply(request)
                if isKept != nil { sources.world.promises.lists.hears(request, of: runner) }
            }
            sources.finished(runner, await runner.work.step())
        }
    }

    private func finished(_ runner: Runner, _ next: SourceWork.Next) {
        guard !life.isDead else { return }
        runner.isBusy = false
        runner.snapshot = runner.work.snapshot
        world.promises.lists.steps(runner, in: world)
        let number = runner.list.number
        let isCalled = runner.isCalled || !runner.requests.isEmpty
        switch next {
        case .again: later(0.001) { [unowned self] in goOn(number) }
        case .rest where isCalled: later(0.001) { [unowned self] in goOn(number) }
        case .rest(let seconds?): setAlarm(runner, after: seconds)
        case .rest(nil): break
        }
    }

    // MARK: - Tasks and time

    /// Runs a task until it waits for something of this world.
    private func perform(_ body: @escaping @Sendable (SimulatedSources) async -> Void) {
        Task(executorPreference: executor) { [self] in await body(self) }
        executor.drain()
    }

    /// Does something after so many seconds, and not while the machine sleeps.
    func later(_ seconds: Double, _ body: @escaping () -> Void) {
        life.after(seconds) { [unowned self] in
            let left = world.suspendedUntil - world.seconds
            if left > 0 { later(left + 0.01, body) } else { body() }
        }
    }

    /// Has a task wait for so many seconds, or until somebody wants no more of it, and returns what there is then.
    func wait<Value: Sendable>(
        _ seconds: Double,
        for list: Int,
        orElse nothing: Value,
        _ body: @escaping () -> Value
    ) async -> Value {
        let body = Held(body)
        return await withTaskCancellationHandler {
            await wait(for: list, orElse: nothing) { [self] resume in
                later(seconds) { resume(body.value) }
            }
        } onCancel: {
            giveUp(list)
        }
    }

    /// Has a task wait until something is there.
    func wait<Value: Sendable>(
        for list: Int?,
        orElse nothing: Value,
        _ begin: (@escaping @Sendable (() -> Value) -> Void) -> Void
    ) async -> Value {
        await withCheckedContinuation { continuation in
            guard !life.isDead else { return continuation.resume(returning: nothing) }
            serial += 1
            let key = serial
            waiting[key] = (list, { continuation.resume(returning: nothing) })
            begin { [unowned self] value in
                guard waiting.removeValue(forKey: key) != nil else { return }
                continuation.resume(returning: value())
                executor.drain()
            }
        }
    }

    private func giveUp(_ list: Int) {
        for key in waiting.keys.sorted() where waiting[key]?.list == list {
            waiting.removeValue(forKey: key)?.giveUp()
        }
    }

    /// A closure that is called on the world's thread alone.
    private struct Held<Value>: @unchecked Sendable {
        let value: () -> Value
        init(_ value: @escaping () -> Value) { self.value = value }
    }
}
