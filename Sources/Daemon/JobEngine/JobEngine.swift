import Foundation
import JobModel
import Logging
import Synchronization
import Vocabulary

/// Carries out the decisions of the machines in JobCore, as the only writer of the store, on a thread of
/// its own.
///
/// Because commits sync the disk, the thread is not one of the shared pool's. Everything it works on is
/// created on it and never leaves it. The status and the live transfers, which others may read at any
/// time, are copies made after each turn.
public final class JobEngine: JobControl, FeedControl, Sendable {
    /// The bus on which events are published as they happen.
    public let events = EventBus()

    let inbox = Inbox()
    /// The jobs whose documents have been served since the engine last asked.
    private let servings = Mutex<Set<JobID>>([])
    private let snapshot: EngineSnapshot
    let hostsQuestion = SharedQuestion<Result<[HostStatus], ControlError>>()
    private let ended = Mutex<[CheckedContinuation<StoreFailure?, Never>]?>([])
    private let outcome = Mutex<StoreFailure?>(nil)

    /// Creates an engine that hasn't started, but already accepts reports.
    public init(now: Moment) {
        snapshot = EngineSnapshot(startedAt: now)
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
        snapshot.begin(
            store: store,
            documents: documents,
            detection: detection,
            hasDefaultRoute: configuration.hasDefaultRoute,
            observer: observer
        )
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
            core.beforeAnswers = snapshot.publish
            wake = try core.turn([], now: now())
            snapshot.publish(core)
            started(.success(()))
        } catch {
            finish(error)
            started(.failure(error))
            return
        }
        do {
            while let inputs = inbox.receive(within: wake.map { $0.seconds(since: now()) }) {
                wake = try core.turn(inputs, now: now())
                snapshot.publish(core)
            }
            try core.settle(now: now())
            core.abandon()
            finish(nil)
        } catch {
            core.abandon()
            finish(error)
        }
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

    /// Gives a job of a source another URL, as its list has it by now, before any report that comes after this.
    ///
    /// Can be called from any thread.
    public func move(_ job: JobID, to url: JobURL) {
        // The list is the source's own, as is the job.
        inbox.post(.steer(.retry(url: url, by: 0), job, reply: { _ in }))
    }

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

    /// Notes what came of a try to write to the directories: the reason for which nothing can be written, if any.
    ///
    /// Can be called from any thread.
    public func triedWriting(_ refusal: String?) { inbox.post(.storageTried(refusal)) }

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
}

// MARK: - Status

extension JobEngine {
    /// Returns the engine's current status.
    ///
    /// This never waits.
    public func status() -> EngineStatus {
        let (status, isStorageSuspect) = snapshot.status()
        // The engine may have had nothing to do, and so no reason to look.
        if isStorageSuspect { suspectStorage() }
        return status
    }

    /// True if no transfer is begun now: by the hours, the connection, or for lack of room.
    public var holdsTransfers: Bool {
        status().holds.contains { [.hours, .metered, .clock, .disk, .storage, .room].contains($0.kind) }
    }

    /// True if no server can be reached, as far as is known.
    ///
    /// This never waits.
    public var isOffline: Bool { snapshot.isOffline }

    /// Returns the progress of running transfers by job.
    ///
    /// This never waits.
    public func liveTransfers() -> [JobID: LiveTransfer] { snapshot.transfers }

    /// Returns the jobs that someone looks at.
    ///
    /// This never waits.
    public func interests() -> [JobID: Interest] { snapshot.interests }
}
