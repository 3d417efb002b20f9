import Foundation
import JobCore
import Logging
import Synchronization

/// Carries out the decisions of the machines in JobCore, as the only writer of the store, on a thread of
/// its own.
///
/// Because commits sync the disk, the thread is not one of the shared pool's. Everything it works on is
/// created on it and never leaves it. The status and the live transfers, which others may read at any
/// time, are copies made after each turn.
public final class JobEngine: JobControl, FeedControl, Sendable {
    /// The bus on which events are published as they happen.
    public let events = EventBus()

    private let inbox = Inbox()
    /// The jobs whose documents have been served since the engine last asked.
    private let servings = Mutex<Set<JobID>>([])
    private let snapshot: Mutex<Snapshot>
    private let ended = Mutex<[CheckedContinuation<StoreFailure?, Never>]?>([])
    private let outcome = Mutex<StoreFailure?>(nil)

    private struct Snapshot {
        var status: EngineStatus
        var transfers: [JobID: LiveTransfer] = [:]
        var documents: (any DocumentPort)?
        var store: (any StorePort)?
        var interests: [JobID: Interest] = [:]
        var diskReserve: Int64 = 0
        var hasDefaultRoute: @Sendable () -> Bool = { true }
        /// The last look for a route: its time, and its result.
        var route: (time: ContinuousClock.Instant, exists: Bool)?
        var observer: @Sendable (EngineStatus) -> Void = { _ in }
    }

    /// Creates an engine that hasn't started, but already accepts reports.
    public init(now: Moment) {
        snapshot = Mutex(Snapshot(status: EngineStatus(startedAt: now)))
    }

    /// Loads the stored state and starts to work on a thread of its own.
    ///
    /// Call it once; it returns when everything is loaded. `observer` is called with the engine's status
    /// after each turn, on the engine's thread, and must not block; so is `contentsForgotten`, with the
    /// contents (SHA-256) of documents whose jobs are forgotten. `reading` reads the machine's clocks.
    /// `logger` receives each kind of impossible input once.
    ///
    /// - Throws: ``StoreFailure``
    public func start(
        store: any StorePort,
        transfers: any TransferPort,
        documents: any DocumentPort,
        detection: any DetectionPort,
        sinks: [any EventSink],
        configuration: JobEngineConfiguration,
        clock: SteadyClock,
        reading: @escaping @Sendable () -> ClockReading,
        logger: Logger = Logger(label: "facefetchd"),
        contentsForgotten: @escaping @Sendable ([String]) -> Void = { _ in },
        observer: @escaping @Sendable (EngineStatus) -> Void = { _ in }
    ) async throws(StoreFailure) {
        snapshot.withLock { snapshot in
            snapshot.documents = documents
            snapshot.store = store
            snapshot.observer = observer
            snapshot.hasDefaultRoute = configuration.hasDefaultRoute
        }
        let ports = EnginePorts(
            store: store,
            transfers: transfers,
            documents: documents,
            detection: detection,
            sinks: sinks,
            bus: events,
            contentsForgotten: contentsForgotten,
            takeServed: { [self] in takeServed() }
        )
        let result: Result<Void, StoreFailure> = await withCheckedContinuation { started in
            let thread = Thread { [self] in
                let make = { (now: Moment) throws(StoreFailure) in
                    try EngineCore(ports: ports, configuration: configuration, now: now, clock: clock) {
                        logger.error("\($0): a bug in facefetch, which goes on; please report it")
                    }
                }
                run(make, now: { clock.moment(reading()) }) { started.resume(returning: $0) }
            }
            thread.name = "ff-engine"
            thread.start()
        }
        try result.get()
    }

    /// Accepts no more inputs, handles those in the inbox, and returns when the thread has finished.
    public func stop() async {
        inbox.end()
        _ = await untilEnded()
    }

    /// Waits for the engine to end; returns nil after ``stop()``, otherwise the reason why it could not
    /// go on.
    public func untilEnded() async -> StoreFailure? {
        await withCheckedContinuation { continuation in
            let isOver = ended.withLock { waiting in
                guard waiting != nil else { return true }
                waiting?.append(continuation)
                return false
            }
            if isOver { continuation.resume(returning: outcome.withLock { $0 }) }
        }
    }

    private func run(
        _ make: (Moment) throws(StoreFailure) -> EngineCore,
        now: () -> Moment,
        started: (Result<Void, StoreFailure>) -> Void
    ) {
        let core: EngineCore
        var wake: Moment?
        do {
            core = try make(now())
            core.beforeAnswers = publish
            wake = try core.turn([], now: now())
            publish(core)
            started(.success(()))
        } catch {
            finish(error)
            started(.failure(error))
            return
        }
        do {
            while let inputs = inbox.receive(within: wake.map { $0.seconds(since: now()) }) {
                wake = try core.turn(inputs, now: now())
                publish(core)
            }
            try core.settle(now: now())
            core.abandon()
            finish(nil)
        } catch {
            core.abandon()
            finish(error)
        }
    }

    private func publish(_ core: EngineCore) {
        let (status, transfers) = (core.status, core.liveTransfers)
        let observer = snapshot.withLock { snapshot in
            snapshot.status = status
            snapshot.diskReserve = core.diskReserve
            snapshot.transfers = transfers
            snapshot.interests = core.interests
            return snapshot.observer
        }
        observer(status)
    }

    private func finish(_ failure: StoreFailure?) {
        inbox.end()
        // Every caller still waiting gets an answer.
        while let inputs = inbox.receive(within: 0) {
            for input in inputs { input.refuse() }
        }
        outcome.withLock { $0 = failure }
        let waiting = ended.withLock { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for continuation in waiting { continuation.resume(returning: failure) }
        events.end()
    }
}

// MARK: - Inputs

extension JobEngine {
    /// Accepts reports of the transfer thread.
    ///
    /// Can be called from any thread.
    public func received(_ reports: [(JobID, TransferReport)]) { inbox.post(.transfers(reports)) }

    /// Accepts reports of the document store.
    ///
    /// Can be called from any thread.
    public func received(_ reports: [(JobID, StorageReport)]) { inbox.post(.storage(reports)) }

    /// Accepts a detector's result.
    ///
    /// Can be called from any thread.
    public func detected(_ job: JobID, _ result: DetectionResult) { inbox.post(.detected(job, result)) }

    /// Notes that a directory of documents or partials is not where it should be.
    ///
    /// Can be called from any thread.
    public func suspectStorage() { inbox.post(.suspectStorage) }

    /// Opens or holds the detection gate as someone comes and goes.
    ///
    /// Unlike ``setDetectionGate(open:)``, this isn't remembered across restarts.
    public func followDetectionGate(open: Bool) { inbox.post(.followGate(open: open)) }

    /// Sets whether the machine's connection is metered; at first it counts as not metered.
    public func setMetered(_ isMetered: Bool) { inbox.post(.metered(isMetered)) }

    /// Applies a new configuration from the next turn; work under way is not interrupted.
    ///
    /// The initial gate position and the boot id are only used at the start.
    public func reconfigure(_ configuration: JobEngineConfiguration) {
        inbox.post(.reconfigure(configuration))
    }

    /// Calls back from the engine's thread in its next turn, as proof that it isn't stuck.
    public func checkIn(_ answer: @escaping @Sendable () -> Void) { inbox.post(.checkIn(answer)) }

    /// Returns the engine's current status.
    ///
    /// This never waits.
    public func status() -> EngineStatus {
        let (documents, store) = snapshot.withLock { ($0.documents, $0.store) }
        var status = snapshot.withLock { $0.status }
        status.storeFreeBytes = store?.freeBytes()
        for index in status.holds.indices where status.holds[index].isOfStore {
            status.holds[index] = status.holds[index].saying(freeBytes: status.storeFreeBytes)
        }
        status.freeBytes = documents?.freeBytes()
        let reserve = snapshot.withLock { $0.diskReserve }
        status.reserveBytes = reserve
        if let free = status.freeBytes, free < reserve {
            let reason =
                "the disk that documents are on has \(free) bytes free, and \(reserve) are kept free "
                + "(disk.reserve): downloads wait until there is room"
            status.holds.append(EngineHold(kind: .disk, reason: reason))
        }
        if let obstacle = documents?.obstacle(), !status.holds.contains(where: { $0.kind == .storage }) {
            status.holds.append(EngineHold(kind: .storage, reason: obstacle))
            // It may have had nothing to do, and so no reason to look.
            suspectStorage()
        }
        if status.hasDownloads, !hasRoute() {
            let reason =
                "the machine has no route to other networks: downloads from there wait, and don't use up their tries"
            status.holds.append(EngineHold(kind: .network, reason: reason))
        }
        return status
    }

    /// True if no transfer is begun now: by the hours, the connection, or for lack of room.
    public var holdsTransfers: Bool {
        status().holds.contains { [.hours, .metered, .disk, .storage].contains($0.kind) }
    }

    /// Returns whether the machine has a route to other networks, as of half a second ago at most: looking
    /// costs more than all the rest of a status, and some clients ask many times a second.
    private func hasRoute() -> Bool {
        let now = ContinuousClock.now
        let (look, known) = snapshot.withLock { ($0.hasDefaultRoute, $0.route) }
        if let known, now - known.time < .milliseconds(500) { return known.exists }
        let exists = look()
        snapshot.withLock { $0.route = (now, exists) }
        return exists
    }

    /// Returns the progress of running transfers by job.
    ///
    /// This never waits.
    public func liveTransfers() -> [JobID: LiveTransfer] { snapshot.withLock { $0.transfers } }

    /// Returns the jobs that someone looks at.
    ///
    /// This never waits.
    public func interests() -> [JobID: Interest] { snapshot.withLock { $0.interests } }

    /// Accepts a whole batch, or refuses it.
    public func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch {
        try await perform { .submit(submission, reply: $0) }
    }

    /// Writes what concerns a source, where no job comes of it.
    public func keep(_ write: SourceWrite) async throws(ControlError) {
        try await perform { .keep(write, reply: $0) }
    }

    /// Steers one job and returns its new state.
    public func steer(_ action: SteeringAction, job: JobID) async throws(ControlError) -> Job {
        try await perform { .steer(action, job, reply: $0) }
    }

    /// Steers every job for which the action makes sense, and returns their number.
    public func steerAll(_ action: SteeringAction) async throws(ControlError) -> Int {
        try await perform { .steerAll(action, reply: $0) }
    }

    /// Steers those of some jobs for which the action makes sense.
    public func steer(_ action: SteeringAction, jobs: [JobID]) async throws(ControlError) -> Int {
        try await perform { .steerMany(action, jobs, reply: $0) }
    }

    /// Forgets those of some jobs that have ended.
    public func forget(_ jobs: [JobID]) async throws(ControlError) -> ForgottenJobs {
        try await perform { .forget(jobs, reply: $0) }
    }

    /// Renews a batch's lease, or gives it up with 0 seconds.
    public func renew(_ batch: BatchID, seconds: Int?) async throws(ControlError) {
        try await perform { .renew(batch, seconds: seconds, reply: $0) }
    }

    /// Removes a job's document, if it is what was stored.
    public func removeDocument(of job: JobID) async throws(ControlError) -> Job {
        try await perform { .removeDocument(job, reply: $0) }
    }

    /// Gives precedence to the jobs that a client looks at, until its lease lapses.
    public func attend(
        _ client: Attention.Client,
        visible: [JobID],
        near: [JobID]
    ) async throws(ControlError) {
        try await perform { .attend(client, visible: visible, near: near, reply: $0) }
    }

    /// Notes that a job's document, or a picture of it, has been served, which matters only if it may be removed
    /// to make room.
    ///
    /// The engine hears of it once for all that are served within a minute.
    public func served(_ job: Job) {
        guard job.isEvictable, job.path != nil else { return }
        let isFirst = servings.withLock { served in
            served.insert(job.id)
            return served.count == 1
        }
        if isFirst { inbox.post(.served) }
    }

    private func takeServed() -> [JobID] {
        servings.withLock { served in
            defer { served = [] }
            return served.sorted()
        }
    }

    /// Opens or holds the detection gate.
    public func setDetectionGate(open: Bool) async throws(ControlError) {
        try await perform { .setGate(open: open, reply: $0) }
    }

    private func perform<Value: Sendable>(
        _ input: (@escaping EngineInput.Reply<Value>) -> EngineInput
    ) async throws(ControlError) -> Value {
        let result: Result<Value, ControlError> = await withCheckedContinuation { continuation in
            let isTaken = inbox.post(input { continuation.resume(returning: $0) })
            if !isTaken { continuation.resume(returning: .failure(.stopping)) }
        }
        return try result.get()
    }
}

extension EngineInput {
    /// Tells a waiting caller that the engine is stopping.
    fileprivate func refuse() {
        switch self {
        case .transfers, .storage, .detected, .followGate, .metered, .reconfigure, .checkIn, .served,
            .suspectStorage:
            break
        case .submit(_, let reply): reply(.failure(.stopping))
        case .keep(_, let reply): reply(.failure(.stopping))
        case .steer(_, _, let reply): reply(.failure(.stopping))
        case .steerAll(_, let reply), .steerMany(_, _, let reply): reply(.failure(.stopping))
        case .forget(_, let reply): reply(.failure(.stopping))
        case .attend(_, _, _, let reply), .setGate(_, let reply), .renew(_, _, let reply):
            reply(.failure(.stopping))
        case .removeDocument(_, let reply): reply(.failure(.stopping))
        }
    }
}
