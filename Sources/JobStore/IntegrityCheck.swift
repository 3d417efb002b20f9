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
    /// Reads through the store by `PRAGMA quick_check`, which follows every page, but doesn't hold
    /// indexes against their tables.
    ///
    /// A row that breaks its constraints is none of this check's business (and SQLite looks for such
    /// only where a connection may write): it costs its own job, see ``JobRecord``.
    ///
    /// - Throws: ``JobStoreError/corrupt(path:reason:)``
    static func check(_ database: DatabasePool, path: String, _ check: IntegrityCheck) throws {
        let limit = Interruption(of: database)
        if case .within(let seconds) = check { limit.begin(after: seconds) }
        defer { limit.end() }
        do {
            let answers = try database.read { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") }
            guard let answer = answers.first, answer != "ok" else { return }
            throw JobStoreError.corrupt(
                path: path,
                reason: answer.split(whereSeparator: \.isNewline).joined(separator: " ")
            )
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            // Time is up; what was read was good.
        }
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
