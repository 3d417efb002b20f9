import Children
import ControlServer
import CurlTransfer
import DocumentStore
import JobEngine
import Logging
import Receivers
import Settings
import SourceEngine
import Synchronization

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

    let ground: Ground
    let statusLine: StatusLine
    let documents: DocumentStore
    let eventLog: EventLog
    let socket: ControlSocket
    /// The secrets of sources that servers may repeat in what transfers report.
    let repeatedSecrets = RepeatedSecrets()
    let transfers: CurlTransfer
    let pages: PageFetcher
    let detectors: Detectors
    let forgottenPictures: ForgottenPictures
    let sources: SourceEngine
    let errands = Errands()
    /// The parts: they come into force in this order, and stop in reverse.
    let parts: [any Part]
    /// The number of clients that follow the events.
    let followers = Mutex(0)
    let watchdogs = Mutex<Watchdog?>(nil)

    var settings: DaemonSettings { ground.settings }
    var latest: LatestSettings { ground.latest }
    var engine: JobEngine { ground.engine }
    var logger: Logger { ground.logger }
    var notifier: ServiceNotifier { ground.surroundings.notifier }
    var ending: Ending { ground.surroundings.ending }
    var reporter: Reporter { ground.reporter }

    /// Opens everything that can fail, after which the daemon can work, and has it work.
    init(settings: DaemonSettings, surroundings: Surroundings) async throws(StartFailure) {
        statusLine = StatusLine(text: "idle") { [notifier = surroundings.notifier] in notifier.status($0) }
        let ground = try await Ground(settings, surroundings)
        self.ground = ground
        let cache = PictureCache(
            directory: settings.gallery.cacheDirectory,
            limits: settings.pictureCache,
            mayWrite: ground.mayWrite
        )
        let pictures = Pictures(on: ground, cache: cache)
        forgottenPictures = ForgottenPictures(on: ground, cache: cache)
        detectors = Detectors(on: ground, cache: cache, errands: errands)
        documents = try await DocumentStore.open(
            on: ground,
            hearers: DocumentHearers(on: ground, detectors: detectors, pictures: pictures)
        )
        eventLog = try await EventLog.open(on: ground)
        socket = try await surroundings.start(
            "the control socket \(settings.paths.socket)",
            status: "opening the control socket…",
            limit: 30,
            remedy: "check what else uses it"
        ) { () throws(StartFailure) in try ControlSockets.open(settings) }
        let links = NewestLinks()
        transfers = try await CurlTransfer.open(on: ground, links: links, secrets: repeatedSecrets)
        pages = PageFetcher(configuration: try settings.curlTransfer(), hold: ground.writes)
        let listers = ListerPool(on: ground)
        sources = SourceEngine(on: ground, pages: pages, listers: listers, links: links)
        parts = [
            eventLog, documents, forgottenPictures,
            ground.reporter, listers, pictures, transfers,
            EngineSettings(engine: ground.engine), detectors,
            SidecarFollower(on: ground, documents: documents),
            Webhook(on: ground),
            ground.engine.events,
            KeptJobs(on: ground),
            sources,
            WatchedFolder(on: ground, sources: sources, reader: listers),
            pages,
            MeteredConnection(on: ground),
        ]
        for part in parts { try await part.load(on: ground) }
        let putInForce = try await parts.configure(settings)
        try await startEngine()
        sources.start(on: ground, listers: listers)
        putInForce()
    }
}
