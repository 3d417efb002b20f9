import Children
import CurlTransfer
import Settings
import SourceEngine

extension SourceEngine: Part {
    convenience init(on ground: Ground, pages: PageFetcher, listers: ListerPool, links: NewestLinks) {
        self.init(
            control: ground.engine,
            queries: ground.store,
            pages: pages,
            reader: listers,
            configuration: ground.settings.sourceEngine,
            now: ground.now,
            logger: ground.logger,
            links: links
        )
    }

    /// Takes up what the store has of sources; their pages are nobody's to wait for.
    func load(on ground: Ground) async throws(StartFailure) {
        try await ground.surroundings.start(
            "the sources",
            status: "taking up sources…",
            limit: 120,
            remedy: "check the disk that the job store is on"
        ) { () async throws(StartFailure) in
            do { try await load() } catch {
                ground.logger.error("sources can't be taken up: \(error); other work goes on")
            }
        }
    }

    /// Begins to run all sources, and applies the recipes in files.
    func start(on ground: Ground, listers: ListerPool) {
        start()
        Task {
            // Nothing but sources needs page readers, so their lack is said, and holds nothing up.
            if let problem = await listers.check() { ground.logger.error("\(problem)") }
            await apply(filesIn: ground.settings.sources.directory)
        }
    }
}

extension ListerPool: ReaderPort, Part {
    convenience init(on ground: Ground) {
        let reporter = ground.reporter
        self.init(
            configuration: ground.settings.listerPool(executable: ProgramFile.likelyPath(of: .lister)),
            logger: ground.logger,
            lost: { reporter.lost(.pageReader, $0, at: nil) }
        )
    }

    var isSlowToStop: Bool { true }
}
