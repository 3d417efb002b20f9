import ArgumentParser
import Dispatch
import Glibc
import Logging
import Settings
import SystemdSupport
import UnixSignals

/// `facefetchd`: runs the daemon in the foreground.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the daemon in the foreground (the default).",
        shouldDisplay: false
    )

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        // Documents and logs are for their group to read, and for nobody else to write.
        umask(0o027)
        FileLimit.raise()
        let environment = SettingsOptions.environment
        let log = StandardErrorLog(journalStream: environment["JOURNAL_STREAM"])
        LoggingSystem.bootstrap { _ in ServiceLogHandler(program: "facefetchd", log: log) }
        let logger = Logger(label: "facefetchd")
        // Before anything that takes time: a signal during the start waits for its end.
        let arriving = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        do throws(StartFailure) {
            let settings = try options.load()
            let daemon = try await Daemon(settings: settings, log: log, logger: logger)
            let (ending, end) = AsyncStream<Void>.makeStream()
            let signals = Task { await Self.watch(arriving, for: daemon, logger: logger, end: end) }
            try await daemon.run(until: ending)
            signals.cancel()
            logger.notice("stopped")
        } catch {
            for line in error.description.split(separator: "\n") { logger.error("\(line)") }
            throw ExitCode(error.status.rawValue)
        }
        Glibc.exit(0)
    }

    private static func watch(
        _ arriving: UnixSignalsSequence,
        for daemon: Daemon,
        logger: Logger,
        end: AsyncStream<Void>.Continuation
    ) async {
        var isEnding = false
        for await signal in arriving {
            if signal == .sighup {
                daemon.reopenEventLog()
                continue
            }
            // The second time, at once: what was told is on the disk.
            if isEnding { Glibc._exit(0) }
            isEnding = true
            limitEnding()
            end.yield()
            logger.notice("stopping")
        }
    }

    /// Whatever hangs, the daemon ends within 5 seconds; all that was told is durable.
    private static func limitEnding() {
        DispatchQueue.global().asyncAfter(deadline: .now() + 4.5) {
            Glibc._exit(0)
        }
    }
}
