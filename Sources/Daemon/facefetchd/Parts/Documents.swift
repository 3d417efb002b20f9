import DocumentStore
import JobEngine
import Settings

extension DocumentStore: DocumentPort, Part {
    /// Opens the directories.
    static func open(
        on ground: Ground,
        hearers: DocumentHearers
    ) async throws(StartFailure) -> DocumentStore {
        let (engine, reporter, logger) = (ground.engine, ground.reporter, ground.logger)
        let (settings, paths) = (ground.settings, ground.settings.paths)
        return try await ground.surroundings.start(
            "the documents directory \(paths.documents)",
            status: "opening the documents directory…",
            limit: 60,
            remedy: "check the disk or network that it is on"
        ) { () throws(StartFailure) in
            do throws(DocumentStoreError) {
                let documents = try DocumentStore(
                    stateDirectory: paths.state,
                    documentsDirectory: paths.documents,
                    mayWrite: ground.mayWrite,
                    descriptorCeiling: settings.descriptorCeiling,
                    hearers: hearers
                ) { reports in
                    for case (let job, .hashFailed(let failure)) in reports {
                        logger.warning("\(job): \(failure.message)")
                    }
                    reporter.report(reports)
                    engine.received(reports)
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
            } catch {
                throw StartFailure(error, documents: paths.documents)
            }
        }
    }

    func finish() { shutdown() }
}

extension DocumentHearers {
    /// The parts that have to know what happens to documents and their directories.
    init(on ground: Ground, detectors: Detectors, pictures: Pictures) {
        let (engine, logger, path) = (ground.engine, ground.logger, ground.settings.paths.documents)
        let (store, latest) = (ground.store, ground.latest)
        self.init()
        lost = { engine.suspectStorage() }
        tried = { engine.triedWriting($0) }
        removed = { latest.value.removeSidecar(of: $0, unless: store.isDocument) }
        replaced = {
            detectors.replaceProcesses()
            pictures.replaceProcess()
            logger.warning(
                """
                the documents directory \(path) is another one than before: what is stored from now on is stored \
                there
                """
            )
        }
    }
}

extension StartFailure {
    /// Creates the failure for directories that can't be opened.
    fileprivate init(_ error: DocumentStoreError, documents: String) {
        switch error {
        case .noRoom(let path): self.init(lackOfRoomAt: path + "/.facefetch-room", for: path)
        case .inUse: self.init(status: .inUse, description: error.description)
        case .refuses(let path, _) where path == documents || path.hasPrefix(documents + "/"):
            self.init(
                status: .cannotWrite,
                description: error.description,
                obstacle: .documents(end: "something can be written there") {
                    DocumentStore.isRefused(documentsDirectory: documents)
                }
            )
        default: self.init(status: .cannotWrite, description: error.description)
        }
    }
}
