import Children
import ControlServer
import DocumentStore
import JobEngine
import JobModel
import Logging
import Receivers
import Settings
import Synchronization
import Vocabulary

/// The detectors according to the settings.
///
/// When those change, a new pool takes the documents that wait and new ones, and the old one finishes what it has
/// begun.
final class Detectors: DetectionPort, Part {
    fileprivate struct Generation {
        var pool: DetectorPool
        var run: Task<Void, Never>
        /// The jobs whose results are still missing.
        var jobs: Set<JobID> = []
        /// The settings that this pool does all of; nil if it looks in place of the one that they ask for.
        var settings: DaemonSettings.Detection?
        /// The reason why it looks in that one's place.
        var substitution: String?
    }

    fileprivate struct State {
        /// The last number assigned.
        var last = 0
        /// The generations by number.
        var generations: [Int: Generation] = [:]
        var current = 0
        /// The number of processes started by pools that no longer exist.
        var startedBefore = 0
        var hasEnded = false
    }

    private let logger: Logger
    private let thumbnails: Thumbnails
    private let engine: JobEngine
    private let reporter: Reporter
    private let errands: Errands
    private let state = Mutex(State())

    /// A pool that is ready but not in use yet.
    struct Prepared {
        fileprivate var number: Int
        fileprivate var pool: DetectorPool
        fileprivate var settings: DaemonSettings.Detection
    }

    /// Creates detectors without a pool, whose network is looked into where they end without a document.
    init(on ground: Ground, cache: PictureCache, errands: Errands) {
        (engine, reporter, logger) = (ground.engine, ground.reporter, ground.logger)
        self.errands = errands
        let (store, documents) = (ground.store, ground.settings.paths.documents)
        thumbnails = Thumbnails(
            cache: cache,
            mark: { DocumentStore.mark(ofDocument: $0, in: documents) },
            wasEvicted: { store.wasEvicted($0) }
        )
    }

    /// Creates a pool and tries one of its detectors.
    ///
    /// - Throws: ``StartFailure`` if it can't work.
    func prepare(_ settings: DaemonSettings) async throws(StartFailure) -> Prepared {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        var configuration = settings.detectorPool(executable: ProgramFile.likelyPath(of: .detector))
        configuration.wantsThumbnail = thumbnails.areWanted
        let pool = DetectorPool(configuration: configuration, logger: logger) {
            [weak self, thumbnails, reporter, errands] report in
            switch report {
            case .ended(let job, let result): self?.ended(job, result, in: number)
            case .thumbnail(let request, let jpeg): thumbnails.keep(jpeg, of: request)
            case .lost(let end, let request):
                reporter.lost(.detector, end, at: request?.path)
                if request == nil { errands.suspectNetwork() }
            }
        }
        do { try await pool.check() } catch {
            throw StartFailure(status: .badSettings, description: error.description)
        }
        return Prepared(number: number, pool: pool, settings: settings.detectors)
    }

    /// Returns the reason why the detectors in use refuse to work with their arguments; nil if they don't, or can't
    /// be tried now.
    func refusal() async -> String? {
        let pool = state.withLock { $0.generations[$0.current]?.pool }
        do throws(DetectorCheckFailure) {
            try await pool?.check()
            return nil
        } catch {
            return error.isRefusal ? error.description : nil
        }
    }

    /// Notes that no detector in use can start, and why.
    ///
    /// - Returns: False if that was known.
    func complain(_ problem: String) -> Bool {
        state.withLock { $0.generations[$0.current]?.pool.complain(problem) ?? false }
    }

    /// Uses a pool for documents from now on, and for those that the one before has not begun with.
    ///
    /// `substitution` is the reason why it does what another one should.
    func use(_ prepared: Prepared, because substitution: String? = nil) {
        let pool = prepared.pool
        let run = Task { await pool.run() }
        let (before, old) = state.withLock { state in
            let before = state.current
            state.current = prepared.number
            state.generations[prepared.number] = Generation(
                pool: pool,
                run: run,
                settings: substitution == nil ? prepared.settings : nil,
                substitution: substitution
            )
            if state.hasEnded { run.cancel() }
            return (before, state.generations[before]?.pool)
        }
        // The file of its network may be gone, and then no process of the old one starts ever again.
        let waiting = old?.withdrawWaiting() ?? []
        let moved = state.withLock { state in
            let moved = waiting.filter { state.generations[before]?.jobs.remove($0.job) != nil }
            for request in moved { state.generations[prepared.number]?.jobs.insert(request.job) }
            state.retire(before)
            return moved
        }
        for request in moved { pool.submit(request) }
    }

    var identity: DetectorIdentity? {
        state.withLock { $0.generations[$0.current]?.pool.identity }
    }

    /// The current state of all pools' processes.
    var status: DetectorPoolStatus {
        state.withLock { state in
            var status = DetectorPoolStatus()
            status.started = state.startedBefore
            for generation in state.generations.values { status.add(generation.pool.status) }
            // What pools that are being given up lack is no matter any more.
            let current = state.generations[state.current]
            status.problem = current?.pool.status.problem ?? current?.substitution
            return status
        }
    }

    func submit(_ request: DetectionRequest) {
        // The pool isn't called under the lock: a pool that has a job of ours isn't retired.
        let pool = state.withLock { state in
            state.generations[state.current]?.jobs.insert(request.job)
            return state.generations[state.current]?.pool
        }
        pool?.submit(request)
    }

    func withdraw(_ job: JobID) {
        state.withLock { state in
            for (number, generation) in state.generations where generation.jobs.contains(job) {
                state.generations[number]?.jobs.remove(job)
                generation.pool.withdraw(job)
                state.retire(number)
            }
        }
    }

    /// Has no further document looked at by the processes that there are now, which have been let into another
    /// documents directory.
    func replaceProcesses() {
        let pools = state.withLock { $0.generations.values.map(\.pool) }
        for pool in pools { pool.replaceAll() }
    }

    /// Finds the program, and has the first pool ready for the engine's start.
    func load(on ground: Ground) async throws(StartFailure) {
        _ = try ProgramFile.find(.detector)
        try await ground.surroundings.start(
            "the face detectors",
            status: "starting the face detectors…",
            limit: 60,
            remedy: "try facefetch-detector by hand"
        ) { () async throws(StartFailure) in try await configure(ground.settings)?() }
    }

    func configure(_ settings: DaemonSettings) async throws(StartFailure) -> Change? {
        let present = state.withLock { $0.generations[$0.current]?.settings }
        guard present != settings.detectors else { return nil }
        let pool = try await prepare(settings)
        return { self.use(pool) }
    }

    func show(in configuration: inout ControlServerConfiguration) {
        configuration.detectors = { self.status }
    }

    var isSlowToStop: Bool { true }

    /// Kills all detectors, and returns when they are gone.
    func stop() async {
        let runs = state.withLock { state in
            state.hasEnded = true
            return state.generations.values.map(\.run)
        }
        for run in runs { run.cancel() }
        for run in runs { await run.value }
    }

    private func ended(_ job: JobID, _ result: DetectionResult, in number: Int) {
        let wasAwaited = state.withLock { state in
            guard state.generations[number]?.jobs.remove(job) != nil else { return false }
            state.retire(number)
            return true
        }
        if wasAwaited { engine.detected(job, result) }
    }
}

extension Detectors.State {
    /// Ends a pool that is no longer current, once it has nothing left to do.
    fileprivate mutating func retire(_ number: Int) {
        guard number != current, let generation = generations[number], generation.jobs.isEmpty else { return }
        generation.run.cancel()
        startedBefore += generation.pool.status.started
        generations[number] = nil
    }
}
