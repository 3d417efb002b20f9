import CurlTransfer
import JobEngine
import Settings
import SourceEngine

extension CurlTransfer: Part {
    /// Starts the transfer thread, whose reports go to the engine without what `secrets` hide.
    static func open(
        on ground: Ground,
        links: NewestLinks,
        secrets: RepeatedSecrets
    ) async throws(StartFailure) -> CurlTransfer {
        let (engine, reporter) = (ground.engine, ground.reporter)
        let configuration = try ground.settings.curlTransfer()
        let segments = ground.settings.paths.state + "/segments"
        return try await ground.surroundings.start(
            "the transfer thread",
            status: "starting transfers…",
            limit: 30,
            remedy: "check the machine's load",
            failing: .ioError
        ) { () throws(CurlTransferError) in
            try CurlTransfer(
                configuration: configuration,
                segmentTable: BootID.current().map { SegmentTable(path: segments, boot: $0) },
                logger: ground.logger,
                whenAtRest: { reporter.report(.transferAtRest) }
            ) { reports in
                links.follow(reports) { engine.move($0, to: $1) }
                engine.received(secrets.masked(reports))
            }
        }
    }

    func configure(_ settings: DaemonSettings) throws(StartFailure) -> Change? {
        let configuration = try settings.curlTransfer()
        return { self.reconfigure(configuration) }
    }

    func stop() { shutdown() }
}

extension PageFetcher: PagePort, Part {
    func configure(_ settings: DaemonSettings) throws(StartFailure) -> Change? {
        let configuration = try settings.curlTransfer()
        return { self.reconfigure(configuration) }
    }

    func stop() { shutdown() }
}

/// The engine's settings, behind those of transfers, which it may begin by them, and before those of detectors, so that
/// nothing is refused for want of an engine that newer ones have.
struct EngineSettings: Part {
    let engine: JobEngine

    func configure(_ settings: DaemonSettings) -> Change? {
        { engine.reconfigure(settings.engine) }
    }
}
