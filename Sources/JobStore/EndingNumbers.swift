import GRDB
import JobModel
import Vocabulary

/// Gives the endings of a store of an earlier version their numbers.
enum EndingNumbers {
    /// Numbers what jobs came to, in the order in which they ended; those that are stored and have not ended
    /// come last.
    ///
    /// A row by itself each: one that SQLite refuses to change, since damage has given a value of it the wrong
    /// type, goes without.
    static func give(_ database: Database) throws {
        let jobs = try BoundStatement(
            """
            SELECT id, state, path IS NOT NULL FROM jobs
            WHERE path IS NOT NULL OR state IN ('done', 'failed', 'cancelled')
            ORDER BY state NOT IN ('done', 'failed', 'cancelled'), finished_at, id
            """,
            database
        )
        var last: Int64 = 0
        // The rows are sorted before the first is given out: what is written doesn't change what is read.
        try jobs.forEachRow { row in
            let (job, ending) = (
                row.integer(0), JobState(rawValue: row.text(1) ?? "").flatMap(JobEnding.init)
            )
            let isStored = row.integer(2) != 0
            guard isStored || ending != nil else { return }
            let stored = isStored ? last + 1 : nil
            let ended = ending.map { _ in (stored ?? last) + 1 }
            let column = JobColumn.number(of: ending ?? .stored).name
            let update = try BoundStatement(
                "UPDATE jobs SET ended_stored = ?1, \(column) = ?2 WHERE id = ?3",
                database
            )
            try update.bind((stored.map(\.databaseValue)) ?? .null, at: 1)
            try update.bind((ended ?? stored).map(\.databaseValue) ?? .null, at: 2)
            try update.bind(job, at: 3)
            do {
                try update.run()
                last = ended ?? stored ?? last
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {}
        }
        // As this version of the store had them.
        try database.execute(
            sql: "INSERT INTO numbers (id, job, batch, ending, forgotten, mark) VALUES (1, 0, 0, ?, 0, ?)",
            arguments: [last, RowMark.of("", [0, 0, last, 0])]
        )
    }
}
