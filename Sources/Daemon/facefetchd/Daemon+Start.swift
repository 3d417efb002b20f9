import CLinux
import ControlServer
import DocumentStore
import JobEngine
import JobModel
import JobStore
import Logging
import Settings
import Vocabulary

/// The longer steps of a start.
extension Daemon {
    /// Has the engine take up what the store has, and begin to work.
    func startEngine() async throws(StartFailure) {
        let text = StatusText(line: statusLine)
        CLinux_keep_freed_memory(RestingMemory.kept)
        let memory = RestingMemory()
        let holds = HoldNotices(logger: logger)
        let isWatched = notifier.isSupervised
        do {
            try discardStrayPartials()
            try await engine.start(
                store: store,
                transfers: SourceTransfers(
                    transfers: transfers,
                    sources: sources,
                    pages: pages,
                    secrets: repeatedSecrets,
                    move: { [engine] in engine.move($0, to: $1) },
                    report: { [engine] in engine.received($0) }
                ),
                documents: documents,
                detection: detectors,
                sinks: [eventLog, StandardErrorEvents(log: log)],
                configuration: settings.engine,
                clock: clock,
                reading: SystemClock.read,
                logger: logger,
                contentsForgotten: { [forgottenPictures] in forgottenPictures.forget($0) },
                observer: {
                    if isWatched { text.show($0) }
                    memory.show($0)
                    holds.show($0)
                }
            )
        } catch {
            await detectors.stop()
            transfers.shutdown()
            documents.shutdown()
            throw Self.failure(of: error, storeFile)
        }
    }

    /// Takes up what the store has of sources; their pages are nobody's to wait for.
    func loadSources() async {
        do { try await sources.load() } catch {
            logger.error("sources can't be taken up: \(error); other work goes on")
        }
    }

    /// Removes partials that a crash left of jobs that ended, were never accepted, or start over anyway.
    private func discardStrayPartials() throws(StoreFailure) {
        try documents.discardPartials { jobs throws(StoreFailure) in
            Set(try store.jobsNeedingPartials(among: jobs))
        }
    }

    /// The documents that are looked for where the directory is another one than in the last run.
    private static let sought = 20

    /// Looks whether the documents directory is the one that the store's documents are in.
    static func checkDocuments(
        of paths: DaemonSettings.Paths,
        _ store: JobStore,
        _ file: StoreFile
    ) throws(StartFailure) {
        let documents: [String]
        do { documents = try store.newestDocuments(atMost: sought) } catch { throw failure(of: error, file) }
        let origin = DocumentOrigin(
            path: paths.documents,
            stateDirectory: paths.state,
            documents: documents
        )
        if let doubt = origin.doubt() { throw StartFailure(strangeDocuments: origin, because: doubt) }
    }

    static func documentStore(
        _ settings: DaemonSettings,
        _ mayWrite: @escaping DocumentStore.WriteGuard,
        logger: Logger,
        report: @escaping @Sendable ([(JobID, StorageReport)]) -> Void
    ) throws(StartFailure) -> DocumentStore {
        let (documents, paths): (DocumentStore, DaemonSettings.Paths)
        paths = settings.paths
        do {
            documents = try DocumentStore(
                stateDirectory: paths.state,
                documentsDirectory: paths.documents,
                mayWrite: mayWrite,
                descriptorCeiling: settings.descriptorCeiling,
                report: report
            )
        } catch .inUse(let path) {
            throw StartFailure(
                status: .inUse,
                description: DocumentStoreError.inUse(path: path).description
            )
        } catch .noRoom(let path) {
            throw StartFailure(lackOfRoomAt: path + "/.facefetch-room", for: path)
        } catch .refuses(let path, let reason)
            where path == paths.documents || path.hasPrefix(paths.documents + "/")
        {
            let words = DocumentStoreError.refuses(path: path, reason: reason).description
            throw StartFailure(refusedDocuments: paths.documents, because: words)
        } catch {
            throw StartFailure(status: .cannotWrite, description: error.description)
        }
        if documents.keepsPartialsWithDocuments {
            logger.notice(
                """
                \(paths.state) and \(paths.documents) are on two file systems: unfinished files are kept \
                in \(documents.partialsPath)
                """
            )
        }
        return documents
    }

    /// Returns the clock, continued from the last run of the daemon, and what it showed then.
    static func clock(
        _ store: JobStore,
        _ file: StoreFile
    ) throws(StartFailure) -> (clock: SteadyClock, last: Timestamp?) {
        do {
            let stored = try store.storedClock()
            let reading = SystemClock.read()
            let clock = SteadyClock(goingOnWith: stored, boot: BootID.current(), reading: reading)
            return (clock, stored?.moment.wall)
        } catch {
            throw failure(of: error, file)
        }
    }
}
