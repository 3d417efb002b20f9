import JobCore

/// Writes to the store, and deals with a disk that has no room for it.
struct StoreKeeper {
    private let store: any StorePort
    private let transfers: any TransferPort
    private let sinks: [any EventSink]
    /// The room that the store has, and what is done about it.
    private var room = StoreRoom()
    /// The clock that moments come from, and what the store has of it; nil before the first commit.
    private let clock: SteadyClock?
    private var storedClock: StoredClock?

    init(_ ports: EnginePorts, clock: SteadyClock?) {
        store = ports.store
        transfers = ports.transfers
        sinks = ports.sinks
        self.clock = clock
    }

    /// What the store holds, with the reserve's room where the disk has no other.
    func storedState() throws(StoreFailure) -> StoredState {
        do {
            return try store.storedState()
        } catch .outOfSpace {
            store.releaseReserve()
            return try store.storedState()
        }
    }

    /// Writes all of it in one transaction, with the clock where that is due.
    mutating func write(_ rows: StoreChanges, now: Moment) throws(StoreFailure) {
        var rows = rows
        rows.loggedThrough = sinks.compactMap(\.writtenThrough).min()
        rows.isShortOfRoom = room.isShort
        if rows.clock == nil { rows.clock = dueClock(now: now) }
        try store.commit(rows)
        storedClock = rows.clock ?? storedClock
    }

    /// The clock as it is to be stored, for another run to go on with; nil where what the store has will do.
    private func dueClock(now: Moment) -> StoredClock? {
        guard let clock, storedClock?.isOutdated(at: now) ?? true else { return nil }
        return clock.stored(at: now)
    }

    /// The clock as it is to be stored when the daemon ends.
    func lastClock(now: Moment) -> StoredClock? { clock?.stored(at: now) }

    // MARK: - Room

    /// Whether there is so little room that nothing new is begun.
    var isShortOfRoom: Bool { room.isShort }

    /// When the reserve is tried to be filled again.
    var fillsAt: Moment? { room.fillAt }

    /// A commit found no room.
    mutating func commitFailed(now: Moment) { room.commitFailed(now: now) }

    /// Gives the store its reserve, once nobody else writes; false when there is none to give.
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

    /// Has the reserve before anything is begun; where there is no room for it, begins without.
    mutating func beginWithReserve(now: Moment) {
        var fill = store.fillReserve()
        while fill == .more { fill = store.fillReserve() }
        guard fill == .noRoom else { return letWritersGoOn() }
        room.startShort(now: now)
        stopWriters()
    }

    /// Fills the reserve again when there is room for it.
    mutating func tendReserve(now: Moment) {
        guard room.isDue(now: now) else { return }
        if room.filled(store.fillReserve(), now: now) == .letWritersGoOn { letWritersGoOn() }
    }

    private mutating func stopWriters() {
        // All of them, also where one doesn't answer in time.
        let stopped = [transfers.holdWriting()] + sinks.map { $0.holdWriting() }
        room.writersStopped(!stopped.contains(false))
    }

    private func letWritersGoOn() {
        transfers.goOnWriting()
        for sink in sinks { sink.goOnWriting() }
    }
}
