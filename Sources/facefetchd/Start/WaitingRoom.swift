import ControlServer
import Glibc
import JobCore
import JobEngine
import JobStore
import Settings
import SystemdSupport
import Vocabulary

/// Answers on the control socket while the daemon waits for room on a disk to start.
///
/// To a service manager the daemon is ready meanwhile, since ending and starting again would make no
/// room.
struct WaitingRoom {
    let settings: DaemonSettings
    let surroundings: Daemon.Surroundings

    /// The seconds between two checks.
    private static let interval = 1.0

    /// Waits until there is room again, or until told to end, checking at least `looks` times.
    ///
    /// - Throws: ``StartFailure`` if the control socket can't be served.
    func wait(for room: StartFailure.Room, looks: Int, because reason: String) async throws(StartFailure) {
        let (ending, notifier, logger) = (surroundings.ending, surroundings.notifier, surroundings.logger)
        let socket = try ControlSockets.open(settings)
        ending.setCleanUp { ControlSockets.removeFile() }
        // The continuing clock is in the store; until that can be read, this one starts afresh.
        let clock = SteadyClock(goingOnWith: nil, boot: nil, reading: SystemClock.read())
        let control = WaitingControl(
            startedAt: clock.moment(SystemClock.read()),
            reason: reason,
            free: { JobStore.freeBytes(beside: room.path) }
        )
        let server = ControlServer(
            configuration: settings.controlServer,
            control: control,
            queries: control,
            now: { clock.moment(SystemClock.read()) },
            logger: logger
        )
        logger.error("\(reason); the daemon goes on by itself once there is room")
        let serving = Task {
            try await server.run(on: socket) { notifier.ready(status: "waiting for room: \(reason)") }
        }
        var count = 0
        while !ending.isRequested, count < looks || JobStore.hasNoRoom(beside: room.path) {
            // The service manager has been told that the daemon is ready, and expects this.
            if notifier.watchdogInterval != nil { notifier.feedWatchdog() }
            try? await Task.sleep(for: .seconds(Self.interval))
            count += 1
        }
        control.events.end()
        serving.cancel()
        _ = await serving.result
        if ending.isRequested { socket.removeFile() }
    }
}

/// The control of a daemon without a store, which only reports its status.
private final class WaitingControl: JobControl, JobQueries {
    let events = EventBus()
    private let startedAt: Moment
    private let reason: String
    private let free: @Sendable () -> Int64?

    init(startedAt: Moment, reason: String, free: @escaping @Sendable () -> Int64?) {
        self.startedAt = startedAt
        self.reason = reason
        self.free = free
    }

    func status() -> EngineStatus {
        var status = EngineStatus(startedAt: startedAt)
        status.isStarting = true
        var hold = EngineHold(kind: .disk, reason: reason)
        status.storeFreeBytes = free()
        if let free = status.storeFreeBytes { hold.reason += "; \(free >> 10) KiB are free there" }
        hold.isOfStore = true
        status.holds = [hold]
        return status
    }

    func liveTransfers() -> [JobID: LiveTransfer] { [:] }

    func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch { throw .outOfSpace }
    func keep(_ answer: StoreChanges.EmptyAnswer) async throws(ControlError) { throw .outOfSpace }
    func steer(_ action: SteeringAction, job: JobID) async throws(ControlError) -> Job { throw .outOfSpace }
    func steerAll(_ action: SteeringAction) async throws(ControlError) -> Int { throw .outOfSpace }
    func steer(
        _ action: SteeringAction,
        jobs: [JobID],
        in states: [JobState]?
    ) async throws(ControlError) -> Int { throw .outOfSpace }
    func forget(_ jobs: [JobID]) async throws(ControlError) -> ForgottenJobs { throw .outOfSpace }
    func attend(
        _ client: Attention.Client,
        visible: [JobID],
        near: [JobID]
    ) async throws(ControlError) { throw .outOfSpace }
    func renew(_ batch: BatchID, seconds: Int?) async throws(ControlError) { throw .outOfSpace }
    func removeDocument(of job: JobID) async throws(ControlError) -> Job { throw .outOfSpace }
    func served(_ job: Job) {}
    func setDetectionGate(open: Bool) async throws(ControlError) { throw .outOfSpace }
    func hosts() async throws(ControlError) -> [HostStatus] { [] }

    func job(_ id: JobID) async throws -> Job? { throw ControlError.outOfSpace }
    func jobs(_ filter: JobFilter, order: JobOrder, after: JobID?, limit: Int) async throws -> JobPage {
        throw ControlError.outOfSpace
    }
    func endings(
        _ query: EndingQuery,
        _ take: @escaping @Sendable ([EndedJob]) -> Void
    ) async throws -> EndingPage { throw ControlError.outOfSpace }
    func documentIndex(
        _ filter: JobFilter,
        order: DocumentIndex.Order,
        limit: Int?,
        hasTimes: Bool
    ) async throws -> DocumentIndex { throw ControlError.outOfSpace }
    func batch(_ id: BatchID) async throws -> Batch? { throw ControlError.outOfSpace }
    func batch(idempotencyKey: String, of user: UInt32?) async throws -> Batch? {
        throw ControlError.outOfSpace
    }
    func emptyAnswer(idempotencyKey: String, of user: UInt32?) async throws -> StoreChanges.EmptyAnswer? {
        throw ControlError.outOfSpace
    }
    func known(_ urls: [JobURL]) async throws -> Set<Int> { throw ControlError.outOfSpace }
    func jobIDs(endedBefore moment: Timestamp, after: JobID?, limit: Int) async throws -> [JobID] {
        throw ControlError.outOfSpace
    }
    func matches(_ filter: JobFilter, in states: [JobState]) async throws -> JobMatches {
        throw ControlError.outOfSpace
    }
    func jobIDs(of batch: BatchID) async throws -> [JobID] { throw ControlError.outOfSpace }
    func batches(
        after: BatchID?,
        limit: Int,
        order: JobOrder,
        areUnfinished: Bool
    ) async throws -> BatchPage { throw ControlError.outOfSpace }
    func events(after: Int64, limit: Int, batch: BatchID?) async throws -> [JobEvent] {
        throw ControlError.outOfSpace
    }
    func lastEvent(before moment: Timestamp) async throws -> Int64 { throw ControlError.outOfSpace }
    func lastEvent(leaving count: Int, of batch: BatchID?) async throws -> Int64 {
        throw ControlError.outOfSpace
    }
    func eventRange() async throws -> ClosedRange<Int64>? { throw ControlError.outOfSpace }
}
