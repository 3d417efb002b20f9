import CLinux
import ControlServer
import CurlTransfer
import DetectorPool
import DocumentStore
import Glibc
import JobEngine
import JobModel
import JobStore
import ListerPool
import Logging
import Reporting
import Settings
import Sidecars
import SourceEngine
import Synchronization
import SystemdSupport
import Vocabulary
import WatchedFolder
import Webhook

/// The daemon, which joins its parts, starts them in order and stops them in reverse.
final class Daemon: Sendable {
    /// The channels by which people and systemd hear of the daemon.
    struct Surroundings {
        var log: StandardErrorLog
        var logger: Logger
        var notifier: ServiceNotifier
        var ending: Ending
        var reporter: Reporter
    }

    /// The settings that the daemon was started with, some of which apply until it ends.
    let settings: DaemonSettings
    /// The latest settings.
    let latest: Mutex<DaemonSettings>
    /// The bytes to keep free, for those who ask each time.
    let reserve: DiskReserve
    let log: StandardErrorLog
    let logger: Logger
    let notifier: ServiceNotifier
    let ending: Ending
    let statusLine: StatusLine
    let reporter: Reporter

    /// The watch on whether the machine's connection is metered.
    let connection: MeteredConnection
    private let lock: StateLock
    let storeFile: StoreFile
    let store: JobStore
    let documents: DocumentStore
    let engine: JobEngine
    let transfers: CurlTransfer
    /// The secrets of sources that servers may repeat in what transfers report.
    let repeatedSecrets: RepeatedSecrets
    let detectors: Detectors
    let detectorExecutable: String
    let pictures: PictureMaker
    let pictureCache: PictureCache
    let forgottenPictures: ForgottenPictures
    let pages: PageFetcher
    let listers: ListerPool
    let sources: SourceEngine
    let watchedFolder: WatchedFolder
    let socket: ControlSocket
    let eventLog: EventLog
    let webhook: Webhook
    private let delivery: WebhookConfiguration?
    let sidecars: SidecarFollower
    let keptJobs: KeptJobs
    /// What is told of detectors that end without a document, which may be for want of their network.
    let networkReviews = NetworkReviews()
    /// The number of clients that follow the events.
    let followers = Mutex(0)
    let watchdogs = Mutex<Watchdog?>(nil)

    /// The clock that all parts use.
    let clock: SteadyClock

    /// Opens everything that can fail, after which the daemon can work.
    init(settings: DaemonSettings, surroundings: Surroundings) async throws(StartFailure) {
        let (log, logger, notifier) = (surroundings.log, surroundings.logger, surroundings.notifier)
        let (ending, reporter) = (surroundings.ending, surroundings.reporter)
        self.settings = settings
        (self.log, self.logger, self.notifier, self.ending) = (log, logger, notifier, ending)
        self.reporter = reporter
        latest = Mutex(settings)
        statusLine = StatusLine(text: "idle") { notifier.status($0) }
        delivery = try settings.webhookDelivery()
        try settings.checkTimeZone()
        try settings.checkWatchedFolder()
        let reporting = try settings.errorReports()
        for notice in try settings.checkCertificates() { logger.warning("\(notice)") }
        for notice in settings.descriptorNotices { logger.warning("\(notice)") }
        let parts = StartSequence(notifier: notifier, logger: logger, ending: ending)
        let paths = settings.paths

        lock = try await parts.start(.stateDirectory(paths)) { () throws(StartFailure) in
            try StateLock(directory: paths.state)
        }
        // Once the state directory is ours, and before anything of it is opened that may be damaged.
        reporter.configure(reporting)
        let storeFile = StoreFile(stateDirectory: paths.state, logger: logger) { damage in
            reporter.report(.storeSetAside(damage))
            reporter.flush()
        }
        self.storeFile = storeFile
        let store = try await parts.start(.jobStore(paths)) { () throws(StartFailure) in
            try storeFile.open()
        }
        self.store = store
        let (clock, lastSeen) = try Self.clock(store, storeFile)
        self.clock = clock
        let engine = JobEngine(now: clock.moment(SystemClock.read()))
        self.engine = engine
        try Self.checkDocuments(of: paths, store, storeFile)
        let writes = WriteHold()
        let mayWrite: DocumentStore.WriteGuard = { body in writes.write(body) != nil }
        let reserve = DiskReserve(settings.disk.reserve)
        self.reserve = reserve
        connection = MeteredConnection(logger: logger) { engine.setMetered($0) }
        documents = try await parts.start(.documents(paths)) { () throws(StartFailure) in
            try Self.documentStore(settings, mayWrite, logger: logger) { reports in
                for case (let job, .hashFailed(let failure)) in reports {
                    logger.warning("\(job): \(failure.message)")
                }
                reporter.report(reports)
                engine.received(reports)
            }
        }
        eventLog = try await parts.start(.eventLog(paths)) { () throws(StartFailure) in
            try opening(.cannotWrite) { () throws(EventLogError) in
                // Held until the engine knows that the disk has room for more than the store.
                try EventLog(path: paths.eventLog, history: store, isHeld: true, logger: logger)
            }
        }
        let socket = try await parts.start(.controlSocket(paths)) { () throws(StartFailure) in
            try ControlSockets.open(settings)
        }
        self.socket = socket
        ending.setCleanUp { [weak socket] in socket?.removeFile() }
        let secrets = RepeatedSecrets()
        repeatedSecrets = secrets
        let links = NewestLinks()
        transfers = try await parts.start(.transfers) { () throws(StartFailure) in
            let configuration = try settings.curlTransfer()
            return try opening(.ioError) { () throws(CurlTransferError) in
                try CurlTransfer(
                    configuration: configuration,
                    segmentTable: BootID.current().map {
                        SegmentTable(path: paths.state + "/segments", boot: $0)
                    },
                    logger: logger,
                    whenAtRest: { reporter.report(.transferAtRest) }
                ) { reports in
                    links.follow(reports) { engine.move($0, to: $1) }
                    engine.received(secrets.masked(reports))
                }
            }
        }
        webhook = Webhook(store, engine.events, stateDirectory: paths.state, logger: logger) {
            clock.moment(SystemClock.read())
        }
        sidecars = SidecarFollower(
            store,
            documents,
            engine.events,
            stateDirectory: paths.state,
            isHeld: { writes.isHeld },
            logger: logger
        )
        keptJobs = KeptJobs(
            control: engine,
            queries: store,
            now: { clock.moment(SystemClock.read()) },
            doubt: ClockDoubt(
                now: clock.moment(SystemClock.read()),
                last: lastSeen,
                stateDirectory: paths.state,
                logger: logger
            ),
            logger: logger
        )
        let executable = try ProgramFile.find(.detector)
        detectorExecutable = executable
        pictures = PictureMaker(
            configuration: settings.pictureMaker(executable: executable),
            logger: logger,
            interests: engine.interests,
            lost: { reporter.lost(.pictureProcess, $0, at: $1) }
        )
        pages = PageFetcher(configuration: try settings.curlTransfer(), hold: writes)
        listers = ListerPool(
            configuration: settings.listerPool(executable: ProgramFile.likelyPath(of: .lister)),
            logger: logger,
            lost: { reporter.lost(.pageReader, $0, at: nil) }
        )
        sources = SourceEngine(
            control: engine,
            queries: store,
            pages: pages,
            reader: listers,
            configuration: settings.sourceEngine,
            now: { clock.moment(SystemClock.read()) },
            logger: logger,
            links: links
        )
        watchedFolder = WatchedFolder(
            control: engine,
            sources: sources,
            reader: listers,
            configuration: WatchedFolderConfiguration(
                pagesDirectory: settings.sourceEngine.pagesDirectory
            ),
            reserve: { reserve.bytes },
            mayWrite: mayWrite,
            now: { clock.moment(SystemClock.read()) },
            logger: logger
        )
        pictureCache = PictureCache(
            directory: settings.gallery.cacheDirectory,
            limits: settings.pictureCache,
            mayWrite: mayWrite
        )
        forgottenPictures = ForgottenPictures(store: store, cache: pictureCache, logger: logger)
        let thumbnails = Thumbnails(
            cache: pictureCache,
            mark: { [documents] in documents.mark(ofDocument: $0) },
            wasEvicted: { [store] in store.wasEvicted($0) }
        )
        detectors = Detectors(
            thumbnails: thumbnails,
            logger: logger,
            lost: { [networkReviews] end, request in
                reporter.lost(.detector, end, at: request?.path)
                if request == nil { networkReviews.suspect() }
            },
            report: { engine.detected($0, $1) }
        )
        let detectors = detectors
        documents.whenLost { engine.suspectStorage() }
        documents.whenTried { engine.triedWriting($0) }
        // A start goes on with removals before sidecars are switched on.
        sidecars.expect(settings.sidecarReserve != nil)
        documents.whenRemoved { [sidecars] in sidecars.documentRemoved($0) }
        documents.whenReplaced { [detectors, pictures, logger] in
            detectors.replaceProcesses()
            pictures.replaceProcess()
            logger.warning(
                """
                the documents directory \(paths.documents) is another one than before: what is stored from now on \
                is stored there
                """
            )
        }
        try await parts.start(.detectors) { () async throws(StartFailure) in
            try settings.checkDetection()
            detectors.use(try await detectors.prepare(settings.detectorPool(executable: executable)))
        }
        try await parts.start(.sources) { () async throws(StartFailure) in await loadSources() }
        try await parts.start(.unfinishedJobs) { () async throws(StartFailure) in try await startEngine() }
        sources.start()
        Task { [sources, settings, listers, logger] in
            // Nothing but sources needs page readers, so their lack is said, and holds nothing up.
            if let problem = await listers.check() { logger.error("\(problem)") }
            await sources.apply(filesIn: settings.sources.directory)
        }
    }

    /// Begins to ask whether the connection is metered, if the settings depend on that.
    func followConnection() { connection.configure(isNeeded: settings.transfer.onMetered == .hold) }

    /// Begins to tell the receiver that the settings name of what has ended, and goes on with what ends.
    func startWebhook() { webhook.configure(delivery) }

    /// Begins to watch the folder that the settings name, if they do.
    func watchFolder() { watchedFolder.configure(directory: settings.watch.directory) }

    /// Begins to forget ended jobs, if the settings say so.
    func forgetJobs() { keptJobs.configure(keep: settings.jobs.keep) }

    /// Begins to write sidecars, if the settings say so.
    func startSidecars() { sidecars.configure(leastFree: settings.sidecarReserve) }
}

/// Runs `body`, turning its error into a failure to start.
private func opening<Value, Failure: Error & CustomStringConvertible>(
    _ status: StartFailure.Status,
    _ body: () throws(Failure) -> Value
) throws(StartFailure) -> Value {
    do {
        return try body()
    } catch {
        throw StartFailure(status: status, description: error.description)
    }
}
