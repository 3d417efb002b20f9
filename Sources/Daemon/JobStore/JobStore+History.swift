import GRDB
import JobModel

/// Limits on the number of events kept, and reading them back.
extension JobStore {
    /// The most rows that one transaction removes, so that none takes long.
    private static let trimmedRows = 10_000

    /// Removes the oldest events, except for up to a million that the event log's file still lacks.
    ///
    /// The last event in the file is kept, however old: it tells the next start how many are missing.
    func trimHistory(_ changes: StoreChanges, _ database: Database) throws {
        guard let last = changes.events.last?.id else { return }
        let count = Int64(changes.events.count)
        // Trimming now and then is enough; a thousand more or fewer do no harm.
        let room = changes.isShortOfRoom ? self.room : .ample
        guard room != .ample || last / 1024 != (last - count) / 1024 else { return }
        let bound = limits.bound(last: last, count: count, logged: changes.loggedThrough, room: room)
        // On a full disk, the oldest events make room for the newest.
        let rows = room == .ample ? Int64(Self.trimmedRows) : 2 * count
        let kept = changes.loggedThrough ?? 0
        let removal = try BoundStatement(
            """
            DELETE FROM events WHERE id IN (
                SELECT id FROM events WHERE id <= ? AND NOT (id >= ? AND id - count < ?)
                ORDER BY id LIMIT ?)
            """,
            database
        )
        for (place, value) in [bound, kept, kept, rows].enumerated() {
            try removal.bind(value, at: place + 1)
        }
        try removal.run()
    }

    /// Returns events with ids above `after` in ascending order, from up to `limit` rows.
    public func keptEvents(after: Int64, limit: Int) throws -> [JobEvent] {
        try database.read {
            try Self.events($0, "WHERE events.id > ? ORDER BY events.id LIMIT ?", [after, Int64(limit)])
        }
        .filter { $0.id > after }
    }

    /// Returns the newest events with ids up to `last` in ascending order, from up to `limit` rows.
    public func keptEvents(upTo last: Int64, limit: Int) throws -> [JobEvent] {
        try database.read { database in
            let rows = "SELECT id FROM events WHERE id <= ? ORDER BY id DESC LIMIT ?"
            return try Self.events(
                database,
                "WHERE events.id IN (\(rows)) ORDER BY events.id",
                [last, Int64(limit)]
            )
        }
    }
}
