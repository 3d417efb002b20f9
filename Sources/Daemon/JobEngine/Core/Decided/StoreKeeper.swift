import JobCore
import JobModel

/// Writes to the store, and copes with a disk that has no room for it.
struct StoreKeeper {
    private let store: any StorePort
    private let transfers: any TransferPort
    private let sinks: [any EventSink]
    /// The state of the store's disk space.
    private var room = StoreRoom()
    /// The steady clock, and its last stored reading; nil before the first commit.
    private let clock: SteadyClock?
    private var storedClock: StoredClock?

    init(_ ports: EnginePorts, clock: SteadyClock?) {
        store = ports.store
        transfers = ports.transfers
        sinks = ports.sinks
        self.clock = clock
    }

    /// Reads the stored state, using the reserve if the disk has no other room.
    func storedState(filling waiting: inout WaitingJobs) throws(StoreFailure) -> StoredState {
        do {
            return try store.storedState(filling: &waiting)
        } catch .outOfSpace {
            store.releaseReserve()
            return try store.storedState(filling: &waiting)
        }
    }

    /// Writes everything in one transaction, including the clock if it is due.
    mutating func write(_ rows: StoreChanges, now: Moment) throws(StoreFailure) {
        var rows = rows
        rows.loggedThrough = sinks.compactMap(\.writtenThrough).min()
        rows.isShortOfRoom = room.isShort
        if rows.clock == nil { rows.clock = dueClock(now: now) }
        try store.commit(rows)
        storedClock = rows.clock ?? storedClock
    }

    /// Returns the clock's reading for the next run; nil if the stored one will do.
    private func dueClock(now: Moment) -> StoredClock? {
        guard let clock, storedClock?.isOutdated(at: now) ?? true else { return nil }
        return clock.stored(at: now)
    }

    /// Returns the clock's reading to store when the daemon stops.
    func lastClock(now: Moment) -> StoredClock? { clock?.stored(at: now) }

    // MARK: - Room

    /// True if room is so short that no new work is begun.
    var isShortOfRoom: Bool { room.isShort }

    /// The moment at which to try to fill the reserve again.
    var fillsAt: Moment? { room.fillAt }

    /// Notes that a commit found no room.
    mutating func commitFailed(now: Moment) { room.commitFailed(now: now) }

    /// Gives the store its reserve once nobody else writes; returns false if there is none to give.
    mutating func makeRoom() -> Bool {
        while let remedy = room.remedy {
            switch remedy {
            case .stopWriters:
                stopWriters()
                if room.remedy == .stopWriters { return false }
            case .releaseReserve:
                store.releaseReserve()
                room.reserveReleased()
                return true
            case .fillReserve, .letWritersGoOn: return false
            }
        }
        return false
    }

    /// Fills the reserve before any work is begun; without room for it, begins in shortage.
    mutating func beginWithReserve(now: Moment) {
        var fill = store.fillReserve()
        while fill == .more { fill = store.fillReserve() }
        guard fill == .noRoom else { return letWritersGoOn() }
        room.startShort(now: now)
        stopWriters()
    }

    /// Refills the reserve when there is room.
    mutating func tendReserve(now: Moment) {
        guard room.isDue(now: now) else { return }
        if room.filled(store.fillReserve(), now: now) == .letWritersGoOn { letWritersGoOn() }
    }

    private mutating func stopWriters() {
        // All of them are asked, even if one doesn't answer in time.
        let stopped = [transfers.holdWriting()] + sinks.map { $0.holdWriting() }
        room.writersStopped(!stopped.contains(false))
    }

    private func letWritersGoOn() {
        transfers.goOnWriting()
        for sink in sinks { sink.goOnWriting() }
    }
}
