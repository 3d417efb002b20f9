import GRDB
import JobCore

/// The highest numbers that were ever given, whatever became of the rows that had them.
///
/// Ids of jobs and batches go on behind those that are there, or behind these where those were forgotten;
/// endings behind these alone. It is the one row of `numbers`, which isn't believed where it doesn't fit its
/// mark.
struct StoredNumbers: Equatable {
    /// The highest id of a job that was forgotten.
    var job: Int64 = 0
    /// The highest id of a batch that was forgotten.
    var batch: Int64 = 0
    /// The number of the last ending.
    var ending: Int64 = 0
    /// The highest number of an ending that was forgotten with its job.
    var forgotten: Int64 = 0

    /// How far endings go on behind those of the rows where it isn't known which was the last: further than any
    /// that may have been lost.
    static let leap: Int64 = 1_000_000

    /// Reads the numbers of a store; nil if they can't be believed.
    static func read(_ database: Database) throws -> StoredNumbers? {
        let statement = try BoundStatement(
            "SELECT job, batch, ending, forgotten, mark FROM numbers WHERE id = 1",
            database
        )
        var numbers: StoredNumbers?
        try statement.forEachRow { row in
            let read = StoredNumbers(
                job: row.integer(0),
                batch: row.integer(1),
                ending: row.integer(2),
                forgotten: row.integer(3)
            )
            if row.integer(4) == read.mark { numbers = read }
        }
        return numbers
    }

    /// Reads the numbers of a store, or derives them from its jobs if they can't be believed.
    static func readOrRecover(_ database: Database) throws -> StoredNumbers {
        if let numbers = try read(database) { return numbers }
        var numbers = StoredNumbers()
        var first = Int64.max
        for ending in JobEnding.allCases {
            let column = JobColumn.number(of: ending).name
            let kept = "FROM jobs WHERE \(column) BETWEEN 1 AND \(JobStore.largestID) ORDER BY \(column)"
            let last = try Int64.fetchOne(database, sql: "SELECT \(column) \(kept) DESC LIMIT 1")
            guard let last else { continue }
            numbers.ending = max(numbers.ending, last)
            first = min(first, try Int64.fetchOne(database, sql: "SELECT \(column) \(kept) LIMIT 1") ?? first)
        }
        // Whoever is behind what is there may have missed something.
        numbers.forgotten = first == .max ? numbers.ending + Self.leap : first - 1
        numbers.ending += Self.leap
        return numbers
    }

    /// Reads the numbers of a store for a daemon that has counted endings up to `lastEnding`.
    ///
    /// If they can't be believed, they are derived, but don't leap: whoever has read up to a number takes
    /// for granted that no lower one comes later.
    static func readOrRecover(_ database: Database, countedTo lastEnding: Int64) throws -> StoredNumbers {
        if let numbers = try read(database) { return numbers }
        var numbers = try readOrRecover(database)
        numbers.ending = min(numbers.ending, lastEnding)
        numbers.forgotten = min(numbers.forgotten, lastEnding)
        return numbers
    }

    /// Writes every column, whatever damage may have made of the row that was there.
    func write(_ database: Database) throws {
        let statement = try BoundStatement(
            "UPDATE numbers SET job = ?, batch = ?, ending = ?, forgotten = ?, mark = ? WHERE id = 1",
            database
        )
        let values = [job, batch, ending, forgotten, mark]
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
        try statement.run()
        guard database.changesCount == 0 else { return }
        try database.execute(sql: "DELETE FROM numbers")
        try database.execute(
            sql: "INSERT INTO numbers (id, job, batch, ending, forgotten, mark) VALUES (1, ?, ?, ?, ?, ?)",
            arguments: StatementArguments(values)
        )
    }

    /// Records the number of the last ending.
    static func keep(ending: Int64, _ database: Database) throws {
        var numbers = try readOrRecover(database, countedTo: ending)
        guard try ending > numbers.ending || read(database) == nil else { return }
        numbers.ending = ending
        try numbers.write(database)
    }

    /// A checksum of the values, to recognize damage.
    var mark: Int64 { RowMark.of("", [job, batch, ending, forgotten]) }
}
