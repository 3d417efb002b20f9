import GRDB
import JobModel
import Vocabulary

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
    /// The highest number of an ending of each kind that was forgotten with its job.
    var forgotten = JobEndings()

    /// The distance by which endings are numbered on behind those of the rows where the last number isn't
    /// known: further than any that may have been lost.
    static let leap: Int64 = 1_000_000

    /// The columns of the numbers, in the order of ``values``.
    private static let columns =
        ["job", "batch", "ending"] + JobEnding.allCases.map { "forgotten_\($0.rawValue)" }

    private var values: [Int64] {
        [job, batch, ending] + JobEnding.allCases.map { forgotten[$0] ?? 0 }
    }

    /// A checksum of the values, to recognize damage.
    var mark: Int64 { RowMark.of("", values) }

    /// Returns the highest number of an ending of these kinds that was forgotten; 0 if none was.
    func forgotten(of endings: Set<JobEnding>) -> Int64 { endings.compactMap { forgotten[$0] }.max() ?? 0 }

    /// Notes that all endings of every kind may have been forgotten up to a number.
    mutating func forgetAll(upTo number: Int64) {
        for ending in JobEnding.allCases { forgotten[ending] = number }
    }

    /// Reads the numbers of a store; nil if they can't be believed.
    static func read(_ database: Database) throws -> StoredNumbers? {
        let statement = try BoundStatement(
            "SELECT \(columns.joined(separator: ", ")), mark FROM numbers WHERE id = 1",
            database
        )
        var numbers: StoredNumbers?
        try statement.forEachRow { row in
            var read = StoredNumbers(job: row.integer(0), batch: row.integer(1), ending: row.integer(2))
            for (place, ending) in JobEnding.allCases.enumerated() {
                read.forgotten[ending] = row.integer(3 + place)
            }
            if row.integer(columns.count) == read.mark { numbers = read }
        }
        return numbers
    }

    /// Reads the numbers of a store, or derives them from its jobs if they can't be believed.
    static func readOrRecover(_ database: Database) throws -> StoredNumbers {
        if let numbers = try read(database) { return numbers }
        var numbers = StoredNumbers()
        for ending in JobEnding.allCases {
            let column = JobColumn.number(of: ending).name
            let kept = "FROM jobs WHERE \(column) BETWEEN 1 AND \(JobStore.largestID) ORDER BY \(column)"
            let last = try Int64.fetchOne(database, sql: "SELECT \(column) \(kept) DESC LIMIT 1")
            numbers.ending = max(numbers.ending, last ?? 0)
        }
        numbers.ending += Self.leap
        // A follower that has read nothing numbered from here on may have missed something.
        numbers.forgetAll(upTo: numbers.ending)
        return numbers
    }

    /// Reads the numbers of a store for a daemon that has counted endings up to `lastEnding`.
    ///
    /// If they can't be believed, they are derived, but don't leap: whoever has read up to a number takes
    /// for granted that no lower one comes later.
    static func readOrRecover(_ database: Database, countedTo lastEnding: Int64) throws -> StoredNumbers {
        if let numbers = try read(database) { return numbers }
        var numbers = try readOrRecover(database)
        guard lastEnding < numbers.ending else { return numbers }
        numbers.ending = lastEnding
        numbers.forgetAll(upTo: try highestMissing(upTo: lastEnding, database))
        return numbers
    }

    /// Returns the highest number that no ending of any job has, up to one that was given.
    private static func highestMissing(upTo last: Int64, _ database: Database) throws -> Int64 {
        let endings = JobEnding.allCases.map { ending in
            let column = JobColumn.number(of: ending).name
            return "SELECT \(column) AS number FROM jobs WHERE \(column) BETWEEN 1 AND \(last)"
        }
        let sql = endings.joined(separator: " UNION ALL ") + " ORDER BY number DESC"
        var expected = last
        let numbers = try Int64.fetchCursor(database, sql: sql)
        while expected > 0, let number = try numbers.next(), number >= expected {
            if number == expected { expected -= 1 }
        }
        return expected
    }

    /// Writes every column, whatever damage may have made of the row that was there.
    func write(_ database: Database) throws {
        let settings = (Self.columns + ["mark"]).map { "\($0) = ?" }.joined(separator: ", ")
        let statement = try BoundStatement(
            // A value that its column can't have would keep the row from being written.
            "UPDATE numbers SET \(settings) WHERE id = 1",
            database
        )
        let values = values + [mark]
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
        try statement.run()
        guard database.changesCount == 0 else { return }
        try database.execute(sql: "DELETE FROM numbers")
        let names = (Self.columns + ["mark"]).joined(separator: ", ")
        let places = values.map { _ in "?" }.joined(separator: ", ")
        try database.execute(
            sql: "INSERT INTO numbers (id, \(names)) VALUES (1, \(places))",
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
}

/// A checksum of a row's values, to recognize damage: FNV-1a, 64 bits (draft-eastlake-fnv).
enum RowMark {
    /// Returns the checksum of a text, which may be empty, and numbers.
    static func of(_ text: String, _ numbers: [Int64]) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for byte in text.utf8 { add(byte) }
        for number in numbers {
            for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        return Int64(bitPattern: hash)
    }
}
