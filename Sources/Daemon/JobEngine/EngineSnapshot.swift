import JobModel
import Synchronization
import Vocabulary

/// The engine as it was after its last turn, which anybody may ask for at any time without waiting.
final class EngineSnapshot: Sendable {
    private struct State {
        var status: EngineStatus
        var transfers: [JobID: LiveTransfer] = [:]
        var documents: (any DocumentPort)?
        var detection: (any DetectionPort)?
        var store: (any StorePort)?
        var interests: [JobID: Interest] = [:]
        var diskReserve: Int64 = 0
        var hasDefaultRoute: @Sendable () -> Bool = { true }
        /// The last look for a route: its time, and its result.
        var route: (time: ContinuousClock.Instant, exists: Bool)?
        var observer: @Sendable (EngineStatus) -> Void = { _ in }
    }

    private let state: Mutex<State>

    init(startedAt: Moment) { state = Mutex(State(status: EngineStatus(startedAt: startedAt))) }

    /// Keeps what the engine works with, for those who ask.
    func begin(
        store: any StorePort,
        documents: any DocumentPort,
        detection: any DetectionPort,
        hasDefaultRoute: @escaping @Sendable () -> Bool,
        observer: @escaping @Sendable (EngineStatus) -> Void
    ) {
        state.withLock { state in
            state.documents = documents
            state.detection = detection
            state.store = store
            state.observer = observer
            state.hasDefaultRoute = hasDefaultRoute
        }
    }

    /// Copies the engine's state after a turn, and passes the status to the observer.
    func publish(_ core: EngineCore) {
        let (status, transfers) = (core.status, core.liveTransfers)
        let observer = state.withLock { state in
            state.status = status
            state.diskReserve = core.diskReserve
            state.transfers = transfers
            state.interests = core.interests
            return state.observer
        }
        observer(status)
    }

    /// The progress of running transfers by job.
    var transfers: [JobID: LiveTransfer] { state.withLock { $0.transfers } }

    /// The jobs that someone looks at.
    var interests: [JobID: Interest] { state.withLock { $0.interests } }

    /// Returns the status with what is looked up now: free space, directories, the route, the engine that looks.
    ///
    /// `isStorageSuspect` is true if a directory is found missing of which the engine doesn't know yet.
    func status() -> (status: EngineStatus, isStorageSuspect: Bool) {
        let (documents, store) = state.withLock { ($0.documents, $0.store) }
        var status = state.withLock { $0.status }
        status.storeFreeBytes = store?.freeBytes()
        // Detectors are replaced between turns, and an idle engine has no other turn.
        let detection = state.withLock { $0.detection }
        if let detection { status.detectionEngine = detection.identity?.engine }
        for index in status.holds.indices where status.holds[index].isOfStore {
            status.holds[index] = status.holds[index].saying(freeBytes: status.storeFreeBytes)
        }
        status.freeBytes = documents?.freeBytes()
        let reserve = state.withLock { $0.diskReserve }
        status.reserveBytes = reserve
        if let free = status.freeBytes, free < reserve {
            let reason =
                "the disk that documents are on has \(free) bytes free, and \(reserve) are kept free "
                + "(disk.reserve): downloads wait until there is room"
            status.holds.append(EngineHold(kind: .disk, reason: reason))
        }
        var isStorageSuspect = false
        if let obstacle = documents?.obstacle(), !status.holds.contains(where: { $0.kind == .storage }) {
            status.holds.append(EngineHold(kind: .storage, reason: obstacle))
            isStorageSuspect = true
        }
        if status.hasDownloads, !status.holds.contains(where: { $0.kind == .network }), !hasRoute() {
            let reason =
                "the machine has no route to other networks: downloads from there wait, and don't use up their tries"
            status.holds.append(EngineHold(kind: .network, reason: reason))
        }
        return (status, isStorageSuspect)
    }

    /// True if the line is held, by a proxy or a portal also, or the machine has no route to other networks.
    var isOffline: Bool {
        let isHeld = state.withLock { state in
            state.status.holds.contains { [.network, .proxy, .portal].contains($0.kind) }
        }
        return isHeld || !hasRoute()
    }

    /// Returns whether the machine has a route to other networks, as of half a second ago at most: looking
    /// costs more than all the rest of a status, and some clients ask many times a second.
    private func hasRoute() -> Bool {
        let now = ContinuousClock.now
        let (look, known) = state.withLock { ($0.hasDefaultRoute, $0.route) }
        if let known, now - known.time < .milliseconds(500) { return known.exists }
        let exists = look()
        state.withLock { $0.route = (now, exists) }
        return exists
    }
}
