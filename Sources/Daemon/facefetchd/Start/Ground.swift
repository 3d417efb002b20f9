import CurlTransfer
import DocumentStore
import JobEngine
import JobModel
import JobStore
import Logging
import Receivers
import Settings
import Synchronization
import Vocabulary

/// The ground that all parts stand on: the settings, the state directory, the store, the clock, and an engine that
/// doesn't work yet.
struct Ground: Sendable {
    /// The settings that the daemon was started with, some of which apply until it ends.
    let settings: DaemonSettings
    let latest: LatestSettings
    let surroundings: Daemon.Surroundings
    private let lock: StateLock
    let storeFile: StoreFile
    let store: JobStore
    /// The clock that all parts use.
    let clock: SteadyClock
    /// The time that the clock showed in the last run of the daemon, as far as that is known.
    let lastSeen: Timestamp?
    let engine: JobEngine
    /// The hold on all that is written to disks, but for the store.
    let writes = WriteHold()

    var logger: Logger { surroundings.logger }
    var reporter: Reporter { surroundings.reporter }
    var now: @Sendable () -> Moment { { [clock] in clock.moment(SystemClock.read()) } }
    var mayWrite: DocumentStore.WriteGuard { { [writes] body in writes.write(body) != nil } }

    /// The documents that are looked for where the directory is another one than in the last run.
    private static let sought = 20

    /// Checks the settings, takes the state directory, and looks whether the documents directory is the one that the
    /// store's documents are in.
    init(_ settings: DaemonSettings, _ surroundings: Daemon.Surroundings) async throws(StartFailure) {
        let (logger, reporter, paths) = (surroundings.logger, surroundings.reporter, settings.paths)
        (self.settings, self.surroundings) = (settings, surroundings)
        latest = LatestSettings(settings)
        for notice in try settings.check() + settings.descriptorNotices { logger.warning("\(notice)") }
        lock = try await surroundings.start(
            "the state directory \(paths.state)",
            status: "taking the state directory…",
            limit: 30,
            remedy: "check the disk or network that it is on"
        ) { () throws(StartFailure) in try StateLock(directory: paths.state) }
        // Once the state directory is ours, and before anything of it is opened that may be damaged.
        reporter.configure(try settings.errorReports())
        let storeFile = StoreFile(stateDirectory: paths.state, logger: logger) { damage in
            reporter.report(.storeSetAside(damage))
            reporter.flush()
        }
        self.storeFile = storeFile
        // A large store may have to be copied, migrated or read in full.
        store = try await surroundings.start(
            "the job store in \(paths.state)",
            status: "opening the job store…",
            limit: 600,
            remedy: "check the disk that it is on"
        ) { () throws(StartFailure) in try storeFile.open() }
        let (stored, documents): (StoredClock?, [String])
        do throws(StoreFailure) {
            (stored, documents) = (try store.storedClock(), try store.newestDocuments(atMost: Self.sought))
        } catch {
            throw storeFile.failure(of: error)
        }
        lastSeen = stored?.moment.wall
        clock = SteadyClock(goingOnWith: stored, boot: BootID.current(), reading: SystemClock.read())
        engine = JobEngine(now: clock.moment(SystemClock.read()))
        let origin = DocumentOrigin(
            path: paths.documents,
            stateDirectory: paths.state,
            documents: documents
        )
        guard let doubt = origin.doubt() else { return }
        let obstacle = Obstacle.documents(end: "it is there") { origin.doubt() != nil }
        throw StartFailure(status: .cannotWrite, description: doubt, obstacle: obstacle)
    }
}

/// The settings as they are now, for those who look each time.
final class LatestSettings: Sendable {
    private let current: Mutex<DaemonSettings>

    init(_ settings: DaemonSettings) { current = Mutex(settings) }

    var value: DaemonSettings { current.withLock(\.self) }

    /// Has these apply from now on.
    func set(_ settings: DaemonSettings) { current.withLock { $0 = settings } }
}
