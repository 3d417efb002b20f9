import ControlServer
import CurlTransfer
import DetectorPool
import DocumentStore
import Glibc
import JobCore
import JobEngine
import JobStore
import Logging
import Settings
import SystemdSupport

/// The parts of the daemon, joined: started in order, stopped in reverse.
struct Daemon {
    let settings: DaemonSettings
    let logger: Logger
    let notifier = ServiceNotifier()

    private let lock: StateLock
    private let store: JobStore
    private let documents: DocumentStore
    private let engine: JobEngine
    private let transfers: CurlTransfer
    private let detectors: DetectorPool
    private let socket: ControlSocket
    private let eventLog: EventLog

    /// Wall-clock time, in microseconds.
    static let clock: @Sendable () -> Timestamp = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Opens everything that can be refused: after this the daemon can work.
    ///
    /// - Throws: ``StartFailure``
    init(settings: DaemonSettings, log: StandardErrorLog, logger: Logger) async throws(StartFailure) {
        self.settings = settings
        self.logger = logger
        notifier.status("taking the state directory…")
        lock = try StateLock(directory: settings.paths.state)
        notifier.status("opening the job store…")
        store = try opening(.cannotWrite) { () throws(JobStoreError) in
            try JobStore(path: settings.paths.state + "/facefetch.sqlite")
        }
        let engine = JobEngine(now: Self.clock())
        self.engine = engine
        notifier.status("opening the documents directory…")
        do {
            documents = try DocumentStore(
                stateDirectory: settings.paths.state,
                documentsDirectory: settings.paths.documents
            ) { engine.received($0) }
        } catch .inUse(let path) {
            throw StartFailure(
                status: .inUse,
                description: DocumentStoreError.inUse(path: path).description
            )
        } catch {
            throw StartFailure(status: .cannotWrite, description: error.description)
        }
        if documents.keepsPartialsWithDocuments {
            logger.notice(
                """
                \(settings.paths.state) and \(settings.paths.documents) are on two file systems: \
                unfinished files are kept in \(documents.partialsPath)
                """
            )
        }
        notifier.status("opening the event log…")
        let history: [JobEvent]
        do { history = try store.latestEvents(limit: 5000) } catch { throw Self.failure(of: error) }
        eventLog = try opening(.cannotWrite) { () throws(EventLogError) in
            try EventLog(path: settings.paths.eventLog, history: history, logger: logger)
        }
        notifier.status("opening the control socket…")
        socket = try Self.controlSocket(settings)
        notifier.status("starting transfers…")
        let curlConfiguration = try settings.curlTransfer()
        transfers = try opening(.ioError) { () throws(CurlTransferError) in
            try CurlTransfer(configuration: curlConfiguration, logger: logger) { engine.received($0) }
        }
        let pool = settings.detectorPool(executable: try DetectorExecutable.find())
        detectors = DetectorPool(configuration: pool, logger: logger) { report in
            switch report {
            case .ended(let job, let result): engine.detected(job, result)
            }
        }
        notifier.status("trying a face detector…")
        do { try await detectors.check() } catch {
            throw StartFailure(status: .badSettings, description: error.description)
        }
        notifier.status("taking up unfinished jobs…")
        try await startEngine(log: log)
    }

    private func startEngine(log: StandardErrorLog) async throws(StartFailure) {
        do {
            try discardStrayPartials()
            try await engine.start(
                store: store,
                transfers: transfers,
                documents: documents,
                detection: detectors,
                sinks: [eventLog, StandardErrorEvents(log: log)],
                configuration: settings.engine,
                clock: Self.clock
            )
        } catch {
            throw Self.failure(of: error)
        }
    }

    /// What a crash left of jobs that ended or were never accepted.
    private func discardStrayPartials() throws(StoreFailure) {
        let kept = try store.jobIDs(in: [.queued, .downloading, .waiting, .paused, .failed])
        documents.discardPartials(except: Set(kept))
    }

    private static func controlSocket(_ settings: DaemonSettings) throws(StartFailure) -> ControlSocket {
        let inherited = try opening(.badSettings) { () throws(InheritedSockets.Malformed) in
            try InheritedSockets.take()
        }
        return try opening(.cannotWrite) { () throws(ControlSocketError) in
            if let descriptor = inherited.first { return try ControlSocket.adopt(descriptor: descriptor) }
            return try ControlSocket.bind(path: settings.paths.socket, group: settings.control.group?.id)
        }
    }

    /// Why the store's failure ends the daemon.
    private static func failure(of error: StoreFailure) -> StartFailure {
        let reason =
            switch error {
            case .outOfSpace: "the disk is full"
            case .broken(let reason): reason
            }
        return StartFailure(
            status: .ioError,
            description: "the job store can't be used: \(reason); check the disk, then start the daemon again"
        )
    }

    /// Serves until told to stop; then stops in order.
    ///
    /// - Throws: ``StartFailure`` when a part fails and the daemon can't go on.
    func run(until ending: AsyncStream<Void>) async throws(StartFailure) {
        let pool = Task { await detectors.run() }
        let server = Task { [self] in try await serve() }
        let failure = await firstEnding(of: server, or: ending)
        notifier.stopping(status: "stopping…")
        server.cancel()
        engine.events.end()
        transfers.shutdown()
        pool.cancel()
        _ = await server.result
        await engine.stop()
        await pool.value
        documents.shutdown()
        eventLog.flush()
        do { try store.close() } catch { logger.warning("the job store was not closed in order: \(error)") }
        if let failure { throw failure }
    }

    /// Opens the event log anew, after rotation.
    func reopenEventLog() {
        do {
            try eventLog.reopen()
        } catch {
            logger.error("\(error)")
        }
    }

    private func serve() async throws {
        var configuration = settings.controlServer
        if settings.detection.when == .attended {
            configuration.followersChanged = attendance()
        }
        let server = ControlServer(
            configuration: configuration,
            control: engine,
            queries: store,
            now: Self.clock,
            logger: logger
        )
        try await server.run(on: socket) { [self] in
            let words =
                "ready: control socket \(settings.paths.socket), documents in \(documents.documentsPath)"
            logger.notice("\(words)")
            notifier.ready(status: "ready")
        }
    }

    /// Opens the gate while somebody follows the events, in the order in which they come and go.
    private func attendance() -> @Sendable (Int) -> Void {
        let (counts, tell) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
        Task { [engine] in
            for await count in counts { try? await engine.setDetectionGate(open: count > 0) }
        }
        return { tell.yield($0) }
    }

    /// Waits for whatever comes first: being told to stop, or a part that
    /// can't go on, and then why.
    private func firstEnding(
        of server: Task<Void, any Error>,
        or ending: AsyncStream<Void>
    ) async -> StartFailure? {
        let (endings, tell) = AsyncStream<StartFailure?>.makeStream()
        let watchers: [Task<Void, Never>] = [
            Task<Void, Never> {
                for await _ in ending { break }
                tell.yield(nil)
            },
            Task<Void, Never> { [engine] in _ = tell.yield(await engine.untilEnded().map(Self.failure)) },
            Task<Void, Never> {
                guard case .failure(let error) = await server.result else { return }
                let words = "the control socket failed: \(error); start the daemon again"
                tell.yield(StartFailure(status: .ioError, description: words))
            },
        ]
        defer { for watcher in watchers { watcher.cancel() } }
        for await first in endings { return first }
        return nil
    }
}

/// Turns the error of a part that can't be opened into an end of the start.
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
