import CDaemon
import GRDB
import Glibc
import JobModel
import Synchronization
import Vocabulary

/// The durable store of jobs, batches and events, in one SQLite database.
///
/// The engine is the only writer. There may be any number of readers, which never wait for it (WAL).
/// Every commit syncs the disk before it returns.
public final class JobStore: Sendable {
    let database: DatabasePool
    /// The engine's own reader, so that no client can keep it waiting.
    let engineReader: DatabaseQueue
    /// The reader for queries that may read very many rows, one at a time.
    let searchReader: SerialReader
    let writerMemory = Mutex(JobWriter.Memory())
    let restingAhead = Mutex<RestingAhead?>(nil)
    let path: String
    let index: WALIndexFile?

    /// The number of events kept for followers who come back; older ones are removed.
    public static let defaultHistoryLimit = 200_000
    /// The most events kept for an event log file that can't be written.
    public static let defaultUnloggedLimit = 1_000_000
    let limits: HistoryLimits
    let reserve: StoreReserve

    /// Opens the store, creating it if it doesn't exist and migrating one of an earlier release, of which a
    /// copy is kept beside it.
    ///
    /// - Throws: ``JobStoreError``; a damaged, newer or unreleased store is left as it is.
    public convenience init(
        path: String,
        historyLimit: Int = defaultHistoryLimit,
        unloggedLimit: Int = defaultUnloggedLimit,
        check: IntegrityCheck = .quick
    ) throws(JobStoreError) {
        let limits = HistoryLimits(usual: historyLimit, unlogged: unloggedLimit)
        try self.init(path: path, limits: limits, check: check, migrator: Schema.migrator)
    }

    /// Opens the store with the schema of a release.
    init(
        path: String,
        limits: HistoryLimits,
        check: IntegrityCheck,
        migrator: DatabaseMigrator
    ) throws(JobStoreError) {
        self.limits = limits
        self.path = path
        reserve = StoreReserve(store: path)
        Self.withoutStatistics
        try Self.refuseEmptied(path)
        if UnreleasedStore.isThere(at: path) { throw .unreleasedSchema(path: path) }
        // URLs may contain passwords, which are none of the business of the group that may read
        // documents.
        PrivateFile.prepare(path: path)
        do {
            let index = try WALIndexFile(store: path)
            self.index = index
            var configuration = GRDB.Configuration()
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = 4
            configuration.label = "facefetch.store"
            configuration.prepareDatabase {
                $0.add(function: TextSearch.maskedURL)
                $0.add(function: MetaSearch.metaText)
                // The index's file must keep its blocks until the last connection has closed.
                withExtendedLifetime(index) {}
            }
            // GRDB's default is above normal, which a service may not ask for: libdispatch would
            // complain about every thread.
            configuration.qos = .default
            database = try DatabasePool(path: path, configuration: configuration)
            try Self.repairMigrations(database, known: migrator.migrations)
            if try database.read(migrator.hasBeenSuperseded) {
                throw JobStoreError.newerSchema(path: path)
            }
            try Self.check(database, path: path, check)
            try Self.keepCopy(of: database, path: path, before: migrator)
            try Self.migrate(database, path: path, migrator, index)
            try database.write(Self.removeImpossibleIDs)
            // A pool sets NORMAL after any configuration made before opening; under WAL only FULL syncs
            // every commit.
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                // In pages of 4 KiB, four times the default. Rows that change repeatedly are then copied
                // into the database only once, and a start after a crash takes a few milliseconds
                // longer.
                try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
                try Self.keepTemporaries(inMemory: true, database)
            }
            configuration.readonly = true
            engineReader = try DatabaseQueue(path: path, configuration: configuration)
            searchReader = try SerialReader(path: path, configuration: configuration)
        } catch let error as JobStoreError {
            throw error
        } catch let error as WALIndexFile.NoRoom {
            throw .noRoom(path: path, reason: String(cString: strerror(error.number)))
        } catch let error as DatabaseError where !error.isDamage && Self.hasNoRoom(beside: path) {
            throw .noRoom(path: path, reason: error.message ?? error.resultCode.description)
        } catch let error as DatabaseError where error.isDamage {
            throw .corrupt(path: path, reason: error.message ?? error.resultCode.description)
        } catch let error as DatabaseError {
            throw .cannotOpen(path: path, reason: error.message ?? error.resultCode.description)
        } catch {
            throw .cannotOpen(path: path, reason: String(describing: error))
        }
    }

    /// Evaluated once, before SQLite is first used.
    private static let withoutStatistics: Void = CSQLite_disable_memory_statistics()

    /// Checkpoints the write-ahead log and closes the database.
    ///
    /// - Throws: ``StoreFailure``; even then, nothing committed is lost.
    public func close() throws(StoreFailure) {
        do {
            try engineReader.close()
            try searchReader.close()
            try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try database.close()
        } catch {
            throw StoreFailure(error)
        }
    }
}

extension DatabaseError {
    fileprivate var isDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}

/// Rows that no version of facefetch can have written, each of which costs its own job and no other.
extension JobStore {
    /// An SQL condition that holds for rows in unknown states.
    static let isInUnknownState = "(state IS NULL OR state NOT IN (\(allStates)))"

    private static let allStates = JobState.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// Writes jobs as they were read if their rows differ.
    static func write(broken jobs: [Job], _ database: Database) throws {
        guard !jobs.isEmpty else { return }
        var writer = JobWriter(database, memory: JobWriter.Memory())
        for job in jobs { try writer.update(job) }
    }
}
