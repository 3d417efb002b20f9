import ArgumentParser
import ControlServer
import Glibc
import Logging
import Receivers
import Settings
import Vocabulary

/// The default command, which runs the daemon in the foreground.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the daemon in the foreground (the default).",
        shouldDisplay: false
    )

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        // Documents and logs may be read by their group, and written by nobody else.
        umask(0o027)
        FileLimit.raise()
        let environment = SettingsOptions.environment
        let log = StandardErrorLog(journalStream: environment["JOURNAL_STREAM"])
        LoggingSystem.bootstrap { _ in ServiceLogHandler(program: "facefetchd", log: log) }
        let logger = Logger(label: "facefetchd")
        let notifier = ServiceNotifier()
        // Before anything that is ended, without a word, where it gets no descriptor.
        if let refusal = DescriptorShares(limit: FileLimit.current).refusal {
            logger.error("\(refusal)")
            notifier.status(refusal)
            // Another start would find the same, so it is one that a service manager doesn't repeat.
            throw ExitCode(StartFailure.Status.badSettings.rawValue)
        }
        FileLimit.takeClocks()
        let ending = Ending(notifier: notifier, logger: logger, cleanUp: ControlSockets.removeFile)
        // Several reloads requested at once are merged into one.
        let (reloads, reload) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // Before anything slow, so that signals work during the start as well.
        let signals = Signals { request in
            switch request {
            case .end: ending.ask()
            case .reload: reload.yield()
            }
        }
        do throws(StartFailure) {
            notifier.status("reading the settings…")
            let settings = try options.load()
            ControlServer.useThreads(settings.descriptors.loops)
            log.level = settings.log.level.loggerLevel
            let surroundings = Daemon.Surroundings(
                log: log,
                logger: logger,
                notifier: notifier,
                ending: ending,
                reporter: Reporter(directory: settings.paths.state + "/reports", logger: logger)
            )
            let daemon = try await Self.start(settings, surroundings)
            let options = options
            try await daemon.run(reloads: reloads) { () throws(StartFailure) in try options.load() }
        } catch {
            ControlSockets.removeFile()
            guard error.status != .stopped else { return Self.end(logger, signals) }
            for line in error.description.split(separator: "\n") { logger.error("\(line)") }
            notifier.status(error.description)
            throw ExitCode(error.status.rawValue)
        }
        Self.end(logger, signals)
    }

    /// Starts the daemon; if a disk has no room, or the documents directory can't be written to, waits until that has
    /// passed.
    private static func start(
        _ settings: DaemonSettings,
        _ surroundings: Daemon.Surroundings
    ) async throws(StartFailure) -> Daemon {
        // If there is some room, but too little, say, it is tried at growing intervals.
        var looks = 0
        defer { ControlSockets.letGo() }
        while true {
            do throws(StartFailure) {
                return try await Daemon(settings: settings, surroundings: surroundings)
            } catch {
                guard let obstacle = error.obstacle else { throw error }
                let waiting = WaitingRoom(settings: settings, surroundings: surroundings)
                try await waiting.wait(for: obstacle, looks: looks, because: error.description)
                looks = min(60, max(1, looks * 2))
            }
        }
    }

    private static func end(_ logger: Logger, _ signals: Signals) {
        logger.notice("stopped")
        withExtendedLifetime(signals) { Glibc.exit(0) }
    }
}
