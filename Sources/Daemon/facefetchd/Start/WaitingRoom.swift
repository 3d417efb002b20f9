import ControlServer
import Glibc
import JobCore
import JobEngine
import JobModel
import JobStore
import Settings
import Vocabulary

/// Answers on the control socket while the daemon waits for room on a disk, or for the documents directory, to start.
///
/// To a service manager the daemon is ready meanwhile, since ending and starting again would make no
/// room, nor mount anything.
struct WaitingRoom {
    let settings: DaemonSettings
    let surroundings: Daemon.Surroundings

    /// The seconds between two checks.
    private static let interval = 1.0

    /// Waits until the obstacle has passed, or until told to end, checking at least `looks` times.
    ///
    /// - Throws: ``StartFailure`` if the control socket can't be served.
    func wait(
        for obstacle: Obstacle,
        looks: Int,
        because reason: String
    ) async throws(StartFailure) {
        let (ending, notifier, logger) = (surroundings.ending, surroundings.notifier, surroundings.logger)
        let socket = try ControlSockets.open(settings)
        // The continuing clock is in the store; until that can be read, this one starts afresh.
        let clock = SteadyClock(goingOnWith: nil, boot: nil, reading: SystemClock.read())
        let control = WaitingControl(
            startedAt: clock.moment(SystemClock.read()),
            reason: reason,
            obstacle: obstacle
        )
        let server = ControlServer(
            configuration: settings.controlServer,
            control: control,
            queries: control,
            now: { clock.moment(SystemClock.read()) },
            logger: logger
        )
        logger.error("\(reason); the daemon goes on by itself once \(obstacle.end)")
        let serving = Task {
            try await server.run(on: socket) { notifier.ready(status: "\(obstacle.words): \(reason)") }
        }
        var count = 0
        let obstacles = ObstacleLooks(obstacle.isThere)
        while !ending.isRequested, count < looks || obstacles.isThere {
            // The service manager has been told that the daemon is ready, and expects this.
            if notifier.watchdogInterval != nil { notifier.feedWatchdog() }
            obstacles.begin()
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
    private let obstacle: Obstacle

    init(startedAt: Moment, reason: String, obstacle: Obstacle) {
        self.startedAt = startedAt
        self.reason = reason
        self.obstacle = obstacle
    }

    private var refusal: ControlError {
        obstacle.lacksRoomAt == nil ? .notStarted(reason) : .outOfSpace
    }

    func status() -> EngineStatus {
        var status = EngineStatus(startedAt: startedAt)
        status.isStarting = true
        guard let path = obstacle.lacksRoomAt else {
            let kind: HoldKind = obstacle.isOfInodes ? .disk : .storage
            status.holds = [EngineHold(kind: kind, reason: "\(reason); until then nothing is begun")]
            return status
        }
        status.storeFreeBytes = JobStore.freeBytes(beside: path)
        var hold = EngineHold(kind: .disk, reason: reason)
        if let free = status.storeFreeBytes { hold.reason += "; \(free >> 10) KiB are free there" }
        hold.isOfStore = true
        status.holds = [hold]
        return status
    }

    func liveTransfers() -> [JobID: LiveTransfer] { [:] }

    func submit(_ submission: Submission) async throws(ControlError) -> AcceptedBatch { throw refusal }
    func keep(_ answer: StoreChanges.EmptyAnswer) async throws(ControlError) { throw refusal }
    func steer(_ action: SteeringAction, job: JobID) async throws(ControlError) -> Job { throw refusal }
    func steerAll(_ action: SteeringAction) async throws(ControlError) -> Int { throw refusal }
    func steer(
        _ action: SteeringAction,
        jobs: [JobID],
        in states: [JobState]?
    ) async throws(ControlError) -> Int { throw refusal }
    func forget(_ jobs: [JobID]) async throws(ControlError) -> ForgottenJobs { throw refusal }
    func attend(
        _ client: Attention.Client,
        visible: [JobID],
        near: [JobID]
    ) async throws(ControlError) { throw refusal }
    func renew(_ batch: BatchID, seconds: Int?) async throws(ControlError) { throw refusal }
    func removeDocument(of job: JobID) async throws(ControlError) -> Job { throw refusal }
    func served(_ job: Job) {}
    func setDetectionGate(open: Bool) async throws(ControlError) { throw refusal }
    func hosts() async throws(ControlError) -> [HostStatus] { [] }
    func releaseHost(_ host: String) async throws(ControlError) -> HostStatus? { throw refusal }

    func job(_ id: JobID) async throws -> Job? { throw refusal }
    func jobs(_ filter: JobFilter, order: JobOrder, after: JobID?, limit: Int) async throws -> JobPage {
        throw refusal
    }
    func endings(
        _ query: EndingQuery,
        _ take: @escaping @Sendable ([EndedJob]) -> Void
    ) async throws -> EndingPage { throw refusal }
    func documentIndex(
        _ filter: JobFilter,
        order: DocumentIndex.Order,
        limit: Int?,
        hasTimes: Bool
    ) async throws -> DocumentIndex { throw refusal }
    func likenessDocuments(
        _ filter: JobFilter,
        endedAfter: Int64?
    ) async throws -> LikenessDocuments { throw refusal }
    func similar(to job: Job, distance: Int, limit: Int) async throws -> SimilarDocuments {
        throw refusal
    }
    func batch(_ id: BatchID) async throws -> Batch? { throw refusal }
    func batch(idempotencyKey: String, of user: UInt32?) async throws -> Batch? {
        throw refusal
    }
    func emptyAnswer(idempotencyKey: String, of user: UInt32?) async throws -> StoreChanges.EmptyAnswer? {
        throw refusal
    }
    func known(_ urls: [JobURL]) async throws -> Set<Int> { throw refusal }
    func jobIDs(endedBefore moment: Timestamp, after: JobID?, limit: Int) async throws -> [JobID] {
        throw refusal
    }
    func matches(_ filter: JobFilter, in states: [JobState]) async throws -> JobMatches {
        throw refusal
    }
    func jobIDs(of batch: BatchID) async throws -> [JobID] { throw refusal }
    func batches(
        after: BatchID?,
        limit: Int,
        order: JobOrder,
        areUnfinished: Bool
    ) async throws -> BatchPage { throw refusal }
    func events(after: Int64, limit: Int, batch: BatchID?) async throws -> [JobEvent] {
        throw refusal
    }
    func lastEvent(before moment: Timestamp) async throws -> Int64 { throw refusal }
    func lastEvent(leaving count: Int, of batch: BatchID?) async throws -> Int64 {
        throw refusal
    }
    func eventRange() async throws -> ClosedRange<Int64>? { throw refusal }
}
