import Settings
import SourceEngine

extension WatchedFolder: Part {
    convenience init(on ground: Ground, sources: any SourceControl, reader: any ReaderPort) {
        let latest = ground.latest
        self.init(
            control: ground.engine,
            sources: sources,
            reader: reader,
            configuration: WatchedFolderConfiguration(
                pagesDirectory: ground.settings.sourceEngine.pagesDirectory
            ),
            reserve: { latest.value.disk.reserve },
            mayWrite: ground.mayWrite,
            now: ground.now,
            logger: ground.logger
        )
    }

    func configure(_ settings: DaemonSettings) -> Change? {
        { self.configure(directory: settings.watch.directory) }
    }
}
