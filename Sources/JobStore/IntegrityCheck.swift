import Dispatch
import GRDB
import Synchronization

/// How much of a store is looked at before it is relied on.
public enum IntegrityCheck: Hashable, Sendable {
    /// As much of it as can be read in so many seconds.
    ///
    /// SQLite itself notices a bad header or a file that is too short; this
    /// finds bad pages as well, in stores of the usual size all of them.
    case within(seconds: Double)
    /// All of it, however long that takes.
    case whole

    /// What a start has time for: a store of 100,000 jobs is read in less.
    public static let quick = IntegrityCheck.within(seconds: 0.3)
}

extension JobStore {
    /// What is asked for of the check's answers: those that only say that a value is wrong could hide
    /// others behind them.
    private static let answerLimit = 1000

    /// Reads through the store by `PRAGMA quick_check`, which follows every page.
    ///
    /// It doesn't hold indexes against their tables. Where all is to be looked at, they are made anew
    /// instead.
    ///
    /// A value that its column can't have is none of this check's business: it costs its own row, see
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
            // Time is up; what was read was good.
        }
    }

    /// Whether an answer of the check says more than that a row has a value which it can't have
    /// (pragma.c, "NULL value in %s.%s" and what follows).
    private static func isDamage(_ answer: String) -> Bool {
        answer != "ok"
            && answer.wholeMatch(of: /(NULL|non-[A-Z]+|NUMERIC|TEXT) value in \w+\.\w+/) == nil
            && answer.wholeMatch(of: /CHECK constraint failed in \w+/) == nil
    }
}

/// Interrupts what a database does, from a moment on.
private final class Interruption: Sendable {
    private let isOver = Mutex(false)
    private let database: DatabasePool
    private let queue = DispatchQueue(label: "facefetch.store-check")

    init(of database: DatabasePool) { self.database = database }

    /// Interrupts it after so many seconds, and again until the end: the first time may be too early.
    func begin(after seconds: Double) {
        queue.asyncAfter(deadline: .now() + seconds) { [self] in
            let isOver = isOver.withLock { isOver in
                // Within the lock: nothing that follows may be interrupted.
                if !isOver { database.interrupt() }
                return isOver
            }
            if !isOver { begin(after: 0.02) }
        }
    }

    func end() { isOver.withLock { $0 = true } }
}
