import ChildProcess
import ListerProtocol
import Logging
import Synchronization

/// Runs lister processes, each of which reads the pages of one recipe.
///
/// A process is started when a page comes for whose recipe there is none, and ends after a while without
/// pages. Only a few read at the same time; other pages wait.
public final class ListerPool: Sendable {
    private struct Idle {
        var process: ListerProcess
        var pages: Int
        var since: ContinuousClock.Instant
    }

    private struct State {
        var idle: [Idle] = []
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
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
        state = Mutex(State(free: max(1, configuration.width)))
    }

    /// Returns what is wrong with a program's expressions; empty if nothing is.
    public func problems(of program: ListerProgram) async -> Result<[ListerGreeting.Problem], ListerFailure> {
        await withProcess(for: program) { process in (await process.greeting()).map(\.problems) }
    }

    /// Starts a lister to find out whether it works in its sandbox.
    ///
    /// - Returns: what is wrong, as a sentence for the person who started the daemon; nil if nothing is, or the
    ///   pool was stopped meanwhile.
    public func check() async -> String? {
        var program = ListerProgram(kind: "json")
        program.items = ".[]"
        program.url = "."
        switch await problems(of: program) {
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
        by program: ListerProgram
    ) async -> Result<ListerAnswer, ListerFailure> {
        var request = request
        request.id = state.withLock { state in
            state.lastID += UInt64.random(in: 1...1000)
            return state.lastID
        }
        let asked = request
        return await withProcess(for: program) { process in
            switch await process.greeting() {
            case .failure(let failure): return .failure(failure)
            case .success(let greeting):
                if let problem = greeting.problems.first {
                    let words = "\(problem.field) can't be compiled: \(problem.message)"
                    return .failure(ListerFailure("unexpected_shape", words))
                }
                self.warn(greeting.warning)
            }
            let result = await process.read(asked)
            if case .failure(let failure) = result, let signal = failure.signal {
                self.lost(.signalled(signal))
            }
            return result
        }
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
        _ body: @escaping @Sendable (ListerProcess) async -> Result<Value, ListerFailure>
    ) async -> Result<Value, ListerFailure> {
        await enter()
        defer { leave() }
        guard let (process, pages) = take(program) else {
            return .failure(ListerProcess.crash("the daemon is stopping"))
        }
        let limit = configuration.timeout + .seconds(5)
        // Listers keep their own time; this one is for those that are late themselves.
        let watch = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            process.kill(
                because: ListerFailure("reader_timed_out", "reading the page took longer than \(limit)")
            )
        }
        let result = await withTaskCancellationHandler {
            await body(process)
        } onCancel: {
            process.kill(because: ListerProcess.crash("nobody waits for the page"))
        }
        watch.cancel()
        put(process, pages: pages + 1)
        return result
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }

    /// Returns a process for a program, and the number of pages it has read; nil once the pool has ended.
    private func take(_ program: ListerProgram) -> (process: ListerProcess, pages: Int)? {
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
