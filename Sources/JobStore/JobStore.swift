import CSQLite
import GRDB
import Glibc
import JobCore
import Synchronization

/// Durable jobs, batches and events, in one SQLite database.
///
/// One writer, the engine, and any number of readers (WAL), which never wait
/// for it. Every commit syncs the disk before it returns.
public final class JobStore: Sendable {
    let database: DatabasePool
    /// The engine's own reader, which no client keeps from it.
    let engineReader: DatabaseQueue
    /// For what may read very many rows: one at a time, however many ask.
    let searchReader: DatabaseQueue
    let writerMemory = Mutex(JobWriter.Memory())
    let path: String
    let index: WALIndexFile?

    /// How many events are kept for those who come back; older ones go.
    public static let defaultHistoryLimit = 200_000
    /// How many are kept at the most for a log file that can't take them.
    public static let defaultUnloggedLimit = 1_000_000
    let historyLimit: Int
    let unloggedLimit: Int
    let reserve: StoreReserve

    /// Opens the store, creating it where there is none, and migrating an older one, of which a
    /// copy is kept beside it.
    ///
    /// - Throws: ``JobStoreError``; a store that is damaged or newer is left as it is.
    public init(
        path: String,
        historyLimit: Int = defaultHistoryLimit,
        unloggedLimit: Int = defaultUnloggedLimit,
        check: IntegrityCheck = .quick
    ) throws(JobStoreError) {
        self.historyLimit = historyLimit
        self.unloggedLimit = unloggedLimit
        self.path = path
        reserve = StoreReserve(store: path)
        Self.withoutStatistics
        try Self.refuseEmptied(path)
        // URLs have passwords, which the group that reads documents has no business with.
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
                // The index's file stays whole until the last connection has gone.
                withExtendedLifetime(index) {}
            }
            // GRDB's own choice is above the usual, which a service may not ask for: libdispatch
            // would complain of it with every thread.
            configuration.qos = .default
            database = try DatabasePool(path: path, configuration: configuration)
            try Self.repairMigrations(database)
            if try database.read(Schema.migrator.hasBeenSuperseded) {
                throw JobStoreError.newerSchema(path: path)
            }
            try Self.check(database, path: path, check)
            try Self.keepCopy(of: database, path: path)
            try Self.migrate(database, path: path, index)
            try database.write(Self.removeImpossibleIDs)
            // A pool sets NORMAL after everything that could be configured
            // before it is opened; under WAL only FULL syncs every commit.
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                // In pages of 4 KiB. Rows that change time and again are folded in once: four times
                // the usual length makes that seldom, and costs a start after a crash some milliseconds.
                try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            }
            configuration.readonly = true
            engineReader = try DatabaseQueue(path: path, configuration: configuration)
            searchReader = try DatabaseQueue(path: path, configuration: configuration)
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

    /// Said once, before SQLite is used.
    private static let withoutStatistics: Void = CSQLite_disable_memory_statistics()

    /// Folds the write-ahead log into the database, and closes it.
    ///
    /// - Throws: ``StoreFailure``; nothing that was committed is lost then.
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
