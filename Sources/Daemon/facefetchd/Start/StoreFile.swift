import Glibc
import JobModel
import JobStore
import Logging
import Receivers

/// The job store's file, including what happens to a damaged one.
struct StoreFile {
    /// The name of the store in a state directory.
    static let name = "facefetch.sqlite"

    let path: String
    let logger: Logger
    /// Called when a damaged store was set aside.
    let wasSetAside: @Sendable (Fault.StoreDamage) -> Void

    init(
        stateDirectory: String,
        logger: Logger,
        wasSetAside: @escaping @Sendable (Fault.StoreDamage) -> Void = { _ in }
    ) {
        path = stateDirectory + "/" + Self.name
        self.logger = logger
        self.wasSetAside = wasSetAside
    }

    /// Opens the store; a damaged one is set aside and a new one created.
    func open() throws(StartFailure) -> JobStore {
        let wasSuspected = access(suspicion, F_OK) == 0
        do throws(JobStoreError) {
            let store = try open(check: wasSuspected ? .whole : .quick)
            unlink(suspicion)
            return store
        } catch .noRoom(let path, _) {
            throw StartFailure(lackOfRoomAt: path, for: "the job store \(path)")
        } catch {
            let status: StartFailure.Status =
                switch error {
                case .newerSchema, .unreleasedSchema: .badSettings
                case .cannotOpen, .cannotCopy, .noRoom, .corrupt: .cannotWrite
                }
            throw StartFailure(status: status, description: error.description)
        }
    }

    /// Makes the next start check the whole store, because it could not be used.
    func suspect() {
        let descriptor = Glibc.open(suspicion, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns the reason why a failure of the store ends the daemon.
    func failure(of error: StoreFailure) -> StartFailure {
        switch error {
        case .outOfSpace: return StartFailure(lackOfRoomAt: path, for: "the job store \(path)")
        case .broken(let words):
            suspect()
            return StartFailure(
                status: .ioError,
                description:
                    "the job store \(path) can't be used: \(words); check the disk, then start the daemon "
                    + "again"
            )
        }
    }

    private var suspicion: String { path + "-suspect" }

    /// Opens the store, using its reserve if the disk has no other room.
    private func openWithReserve(check: IntegrityCheck) throws(JobStoreError) -> JobStore {
        do throws(JobStoreError) {
            return try JobStore(path: path, check: check)
        } catch .noRoom(let path, let reason) {
            guard JobStore.releaseReserve(of: path) else { throw .noRoom(path: path, reason: reason) }
            logger.warning(
                "there is no room for the job store; it is opened with the room that was reserved for it"
            )
            return try JobStore(path: path, check: check)
        }
    }

    private func open(check: IntegrityCheck) throws(JobStoreError) -> JobStore {
        do throws(JobStoreError) {
            return try openWithReserve(check: check)
        } catch .corrupt(_, let reason) {
            let kept = try JobStore.setAside(path: path)
            logger.critical(
                """
                the job store \(path) was damaged (\(reason)) and is kept as \(kept); the daemon goes on with a \
                new one: no document is touched, but what was still to be fetched must be added again
                """
            )
            // SQLite's words for SQLITE_NOTADB; all others are about a database.
            wasSetAside(reason.contains("not a database") ? .notADatabase : .malformed)
            return try JobStore(path: path)
        }
    }
}
