import GRDB
import JobModel

/// Keeping the steady clock from one run to the next.
extension JobStore {
    /// Returns the last stored reading of the steady clock; nil if there is none that can be trusted.
    public func storedClock() throws(StoreFailure) -> StoredClock? {
        do {
            return try engineReader.read { database in
                guard let clock = try Self.clock(database) else { return nil }
                let newest = try BoundStatement(
                    "SELECT time, clock FROM events ORDER BY id DESC LIMIT 1",
                    database
                )
                var event: Moment?
                try newest.forEachRow { event = $0.moment(0, 1) }
                return event.map(clock.noEarlier(than:)) ?? clock
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    private static func clock(_ database: Database) throws -> StoredClock? {
        let statement = try BoundStatement(
            "SELECT boot, ahead, wall, steady, mark FROM clock LIMIT 1",
            database
        )
        var clock: StoredClock?
        try statement.forEachRow { row in
            let read = StoredClock(
                boot: row.text(0),
                ahead: row.integer(1),
                moment: Moment(storedWall: row.integer(2), steady: row.integer(3))
            )
            if row.integer(4) == read.mark { clock = read }
        }
        return clock
    }

    static func write(_ clock: StoredClock, _ database: Database) throws {
        // Whatever damage may have made of the old row.
        try database.execute(sql: "DELETE FROM clock")
        try database.execute(
            sql: "INSERT INTO clock (id, boot, ahead, wall, steady, mark) VALUES (1, ?, ?, ?, ?, ?)",
            arguments: [
                clock.boot, clock.ahead, clock.moment.wall.microseconds, clock.moment.steady.microseconds,
                clock.mark,
            ]
        )
    }
}

extension StoredClock {
    /// A checksum of the row's values, to recognize damage.
    fileprivate var mark: Int64 {
        RowMark.of(boot ?? "", [ahead, moment.wall.microseconds, moment.steady.microseconds])
    }
}
