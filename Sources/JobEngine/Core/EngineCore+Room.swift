import JobCore

/// How the engine deals with a disk that has no room for the store.
extension EngineCore {
    /// Writes what is pending; false when there is no room for it, not even with the reserve.
    func writePending(now: Moment) throws(StoreFailure) -> Bool {
        while true {
            guard !pending.changes.isEmpty else { return true }
            pending.changes.loggedThrough = ports.sinks.compactMap(\.writtenThrough).min()
            pending.changes.isShortOfRoom = room.isShort
            keepClock(now: now)
            do {
                try ports.store.commit(pending.changes)
                committedAt = now
                storedClock = pending.changes.clock ?? storedClock
                return true
            } catch .outOfSpace {
                room.commitFailed(now: now)
                withdrawIntakes()
                pending.changes.changedJobs = pending.changed.values.map(\.job).sorted { $0.id < $1.id }
                guard makeRoom() else { return false }
            }
        }
    }

    /// Gives the store its reserve, once nobody else writes; false when there is none to give.
    private func makeRoom() -> Bool {
        while let remedy = room.remedy {
            switch remedy {
            case .stopWriters:
                stopWriters()
                if room.remedy == .stopWriters { return false }
            case .releaseReserve:
                ports.store.releaseReserve()
                room.reserveReleased()
                return true
            case .fillReserve, .letWritersGoOn: return false
            }
        }
        return false
    }

    private func stopWriters() {
        // All of them, also where one doesn't answer in time.
        let stopped = [ports.transfers.holdWriting()] + ports.sinks.map { $0.holdWriting() }
        room.writersStopped(!stopped.contains(false))
    }

    private func letWritersGoOn() {
        ports.transfers.goOnWriting()
        for sink in ports.sinks { sink.goOnWriting() }
    }

    /// What a person is told of it.
    var holds: [EngineHold] {
        guard room.isShort || commitRetryAt != nil else { return [] }
        let needed = (StoreRoom.reserveLength + StoreRoom.margin) >> 20
        let reason =
            "the disk that the job store is on is full: nothing new is begun until \(needed) MiB are free"
        return [EngineHold(kind: .disk, reason: reason)]
    }

    /// Fills the reserve again when there is room for it.
    func tendReserve(now: Moment) {
        guard commitRetryAt == nil, room.isDue(now: now) else { return }
        if room.filled(ports.store.fillReserve(), now: now) == .letWritersGoOn { letWritersGoOn() }
    }

    /// Has the reserve before anything is begun; where there is no room for it, begins without.
    func beginWithReserve(now: Moment) {
        var fill = ports.store.fillReserve()
        while fill == .more { fill = ports.store.fillReserve() }
        guard fill == .noRoom else { return letWritersGoOn() }
        room.startShort(now: now)
        stopWriters()
    }

    /// What the store holds, with the reserve's room where the disk has no other.
    static func storedState(_ ports: Ports) throws(StoreFailure) -> StoredState {
        do {
            return try ports.store.storedState()
        } catch .outOfSpace {
            ports.store.releaseReserve()
            return try ports.store.storedState()
        }
    }
}
