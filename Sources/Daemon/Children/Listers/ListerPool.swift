import Logging
import SourceCore
import Synchronization

/// Runs lister processes, each of which reads the pages of one recipe, or recipes as they are written.
///
/// A process is started when a page comes for whose recipe there is none, and ends after a while without
/// pages. Only a few read at the same time; other pages wait for their turn (``ListerTurns``).
public final class ListerPool: Sendable {
    private struct Idle {
        var process: ListerProcess
        var pages: Int
        var since: ContinuousClock.Instant
    }

    private struct State {
        var idle: [Idle] = []
        var turns: ListerTurns
        var lastTicket = 0
        /// Those who wait for their turn, which they get or give up.
        var waiting: [ListerTurns.Ticket: CheckedContinuation<Bool, Never>] = [:]
        var runs: [ObjectIdentifier: Task<Void, Never>] = [:]
        var isTidying = false
        var hasEnded = false
        var hasWarned = false
        var lastID: UInt64 = .random(in: 1...(.max / 2))
    }

    private let configuration: ListerPoolConfiguration
    private let logger: Logger
    private let voices: ChildVoices
    private let lost: @Sendable (ChildEnd) -> Void
    private let state: Mutex<State>

    /// Creates a pool without processes.
    ///
    /// `lost` is called when a process was lost, or the one that it had started for a page; it must not wait.
    public init(
        configuration: ListerPoolConfiguration,
        logger: Logger,
        lost: @escaping @Sendable (ChildEnd) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.lost = lost
        voices = ChildVoices(of: "page reader", "page readers", logger: logger)
        state = Mutex(State(turns: ListerTurns(width: configuration.width)))
    }

    /// Returns what is wrong with a program's expressions; empty if nothing is.
    ///
    /// If the task is cancelled, the process is killed.
    public func problems(
        of program: ListerProgram,
        for asker: ListerAsker
    ) async -> Result<[ListerGreeting.Problem], ListerFailure> {
        await withProcess(for: program, asker) { process in (await process.greeting()).map(\.problems) }
    }

    /// Has a recipe read as it is written.
    ///
    /// The pool gives the request its id. If the task is cancelled, the process is killed.
    public func recipe(
        _ request: RecipeRequest,
        for asker: ListerAsker
    ) async -> Result<RecipeAnswer, ListerFailure> {
        var request = request
        request.id = nextID()
        let asked = request
        return await withProcess(for: .recipes, asker) { process in
            switch await process.greeting() {
            case .failure(let failure): return .failure(failure)
            case .success(let greeting): self.warn(greeting.warning)
            }
            return self.told(await process.read(asked))
        }
    }

    /// Starts a lister to find out whether it works in its sandbox.
    ///
    /// - Returns: what is wrong, as a sentence for the person who started the daemon; nil if nothing is, or the
    ///   pool was stopped meanwhile.
    public func check() async -> String? {
        var program = ListerProgram(kind: "json")
        program.items = ".[]"
        program.url = "."
        switch await problems(of: program, for: .daemon) {
        case .success(let problems):
            return problems.first.map { "sources can't be read: jq can't be used: \($0.message)" }
        case .failure(let failure):
            return state.withLock(\.hasEnded) ? nil : "sources can't be read: \(failure.message)"
        }
    }

    /// Has a page read.
    ///
    /// The pool gives the request its id. If the task is cancelled, the process is killed.
    public func read(
        _ request: ListerRequest,
        by program: ListerProgram,
        for asker: ListerAsker
    ) async -> Result<ListerAnswer, ListerFailure> {
        var request = request
        request.id = nextID()
        let asked = request
        return await withProcess(for: program, asker) { process in
            switch await process.greeting() {
            case .failure(let failure): return .failure(failure)
            case .success(let greeting):
                if let problem = greeting.problems.first {
                    let words = "\(problem.field) can't be compiled: \(problem.message)"
                    return .failure(ListerFailure("unexpected_shape", words))
                }
                self.warn(greeting.warning)
            }
            return self.told(await process.read(asked))
        }
    }

    /// A number that can't be guessed, for a request.
    private func nextID() -> UInt64 {
        state.withLock { state in
            state.lastID += UInt64.random(in: 1...1000)
            return state.lastID
        }
    }

    /// Tells of the process that was lost for a request, if one was.
    private func told<Answer>(_ result: Result<Answer, ListerFailure>) -> Result<Answer, ListerFailure> {
        if case .failure(let failure) = result, let signal = failure.signal { lost(.signalled(signal)) }
        return result
    }

    /// Ends all processes; returns when they are gone.
    public func stop() async {
        let (runs, idle) = state.withLock { state in
            state.hasEnded = true
            return (Array(state.runs.values), state.idle.map(\.process))
        }
        for process in idle { process.finish() }
        for run in runs { run.cancel() }
        for run in runs { await run.value }
    }

    private func warn(_ warning: String?) {
        guard let warning else { return }
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        if isFirst { logger.warning("page readers: \(warning)") }
    }

    // MARK: - Processes

    private func withProcess<Value: Sendable>(
        for program: ListerProgram,
        _ asker: ListerAsker,
        _ body: @escaping @Sendable (ListerProcess) async -> Result<Value, ListerFailure>
    ) async -> Result<Value, ListerFailure> {
        guard await enter(asker) else { return .failure(Self.unwanted) }
        defer { leave(asker) }
        guard let (process, pages) = idleOrNewProcess(for: program) else {
            return .failure(ListerProcess.crash("the daemon is stopping"))
        }
        let limit = configuration.timeout + .seconds(5)
        // Listers keep their own time; this one is for those that are late themselves.
        let late = ListerFailure("reader_timed_out", "reading the page took longer than \(limit)")
        let watch = process.limit(limit, because: late)
        let result = await withTaskCancellationHandler { () -> Result<Value, ListerFailure> in
            await body(process)
        } onCancel: {
            process.kill(because: Self.unwanted)
        }
        watch.cancel()
        // It may be about to end the process, which is known once it is through.
        await watch.value
        put(process, pages: pages + 1)
        return result
    }

    private static let unwanted = ListerProcess.crash("nobody waits for what it reads")

    /// Waits until it is the turn of whoever asks; false if they don't wait any more.
    private func enter(_ asker: ListerAsker) async -> Bool {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goers = state.withLock { state -> [CheckedContinuation<Bool, Never>]? in
                    // What is cancelled later finds it waiting.
                    guard !Task.isCancelled else { return nil }
                    state.waiting[ticket] = continuation
                    return Self.goers(&state) { $0.enter(ticket, asker) }
                }
                guard let goers else { return continuation.resume(returning: false) }
                for goer in goers { goer.resume(returning: true) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.turns.giveUp(ticket, asker) ? state.waiting.removeValue(forKey: ticket) : nil
            }
            waiter?.resume(returning: false)
        }
    }

    private func leave(_ asker: ListerAsker) {
        let goers = state.withLock { state in Self.goers(&state) { $0.leave(asker) } }
        for goer in goers { goer.resume(returning: true) }
    }

    /// Those whose turn it is after a change.
    private static func goers(
        _ state: inout State,
        after change: (inout ListerTurns) -> [ListerTurns.Ticket]
    ) -> [CheckedContinuation<Bool, Never>] {
        change(&state.turns).compactMap { state.waiting.removeValue(forKey: $0) }
    }

    /// Returns a process for a program, and the number of pages it has read; nil once the pool has ended.
    private func idleOrNewProcess(for program: ListerProgram) -> (process: ListerProcess, pages: Int)? {
        state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.idle.removeAll { $0.process.hasEnded }
            if let index = state.idle.lastIndex(where: { $0.process.program == program }) {
                let idle = state.idle.remove(at: index)
                return (idle.process, idle.pages)
            }
            let process = ListerProcess(program: program, configuration: configuration, voices: voices)
            state.runs[ObjectIdentifier(process)] = Task { await self.oversee(process) }
            return (process, 0)
        }
    }

    private func oversee(_ process: ListerProcess) async {
        // The end of a process that is stopped along with the pool is no news.
        if let how = await process.run(), !Task.isCancelled {
            logger.warning("a page reader ended: \(how)")
            lost(how)
        }
        Orphans.reap()
        state.withLock { $0.runs[ObjectIdentifier(process)] = nil }
    }

    private func put(_ process: ListerProcess, pages: Int) {
        let surplus = state.withLock { state -> [ListerProcess] in
            guard !process.hasEnded else { return [] }
            guard !state.hasEnded, pages < configuration.recycleAfter else { return [process] }
            state.idle.append(Idle(process: process, pages: pages, since: .now))
            if !state.isTidying {
                state.isTidying = true
                Task { await self.tidy() }
            }
            // Of many recipes, those that were read last keep theirs.
            return state.idle.count > 2 * configuration.width ? [state.idle.removeFirst().process] : []
        }
        for process in surplus { process.finish() }
    }

    /// Ends processes that have been idle for long, until no process is idle.
    private func tidy() async {
        while true {
            try? await Task.sleep(for: configuration.idleTime)
            let (old, isDone) = state.withLock { state in
                let limit = ContinuousClock.now - configuration.idleTime
                let old = state.idle.filter { $0.since <= limit }
                state.idle.removeAll { $0.since <= limit }
                if state.idle.isEmpty { state.isTidying = false }
                return (old.map(\.process), state.idle.isEmpty)
            }
            for process in old { process.finish() }
            if isDone { return }
        }
    }
}
