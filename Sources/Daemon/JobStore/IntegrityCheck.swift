import Dispatch
import GRDB
import Synchronization

/// The extent of the check of a store before it is used.
public enum IntegrityCheck: Hashable, Sendable {
    /// A check of as much of the store as can be read in this time.
    ///
    /// SQLite itself notices a bad header or a file that is too short. This also finds bad pages, and
    /// covers all of a store of the usual size.
    case within(seconds: Double)
    /// The whole store, however long that takes.
    case whole

    /// The check made at each start, which can read a store of 100,000 jobs in full.
    public static let quick = IntegrityCheck.within(seconds: 0.3)
}

extension JobStore {
    /// The most answers asked for: those that merely report a wrong value could hide others behind them.
    private static let answerLimit = 1000

    /// Reads through the store by `PRAGMA quick_check`, which follows every page.
    ///
    /// It doesn't compare indexes with their tables; when the whole store is checked, indexes are
    /// rebuilt instead.
    ///
    /// A value that doesn't fit its column is not reported here: it costs its own row only, see
    /// ``JobRecord``.
    ///
    /// - Throws: ``JobStoreError/corrupt(path:reason:)``
    static func check(_ database: DatabasePool, path: String, _ check: IntegrityCheck) throws {
        let limit = Interruption(of: database)
        if case .within(let seconds) = check { limit.begin(after: seconds) }
        defer { limit.end() }
        do {
            let answers = try database.read {
                try String.fetchAll($0, sql: "PRAGMA quick_check(\(answerLimit))")
            }
            if let answer = answers.first(where: isDamage) {
                throw JobStoreError.corrupt(
                    path: path,
                    reason: answer.split(whereSeparator: \.isNewline).joined(separator: " ")
                )
            }
            if check == .whole { try database.write(makeIndexesAnew) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            // Time is up, and what was read was intact.
        }
    }

    /// Returns whether an answer of the check reports more than a value that doesn't fit its column
    /// (pragma.c, "NULL value in %s.%s" and the following).
    private static func isDamage(_ answer: String) -> Bool {
        answer != "ok"
            && answer.wholeMatch(of: /(NULL|non-[A-Z]+|NUMERIC|TEXT) value in \w+\.\w+/) == nil
            && answer.wholeMatch(of: /CHECK constraint failed in \w+/) == nil
    }
}

/// Interrupts the work of a database after a time limit.
private final class Interruption: Sendable {
    private let isOver = Mutex(false)
    private let database: DatabasePool
    private let queue = DispatchQueue(label: "facefetch.store-check")

    init(of database: DatabasePool) { self.database = database }

    /// Interrupts the database after a number of seconds, and repeatedly until the end, since the first
    /// time may be too early.
    func begin(after seconds: Double) {
        queue.asyncAfter(deadline: .now() + seconds) { [self] in
            let isOver = isOver.withLock { isOver in
                // Within the lock, so that no later work is interrupted.
                if !isOver { database.interrupt() }
                return isOver
            }
            if !isOver { begin(after: 0.02) }
        }
    }

    func end() { isOver.withLock { $0 = true } }
}
