import ControlServer
import Foundation
import Glibc
import JobEngine
import Receivers
import Settings
import Synchronization

/// Running the daemon and stopping it.
extension Daemon {
    /// Serves until told to stop, then stops gracefully.
    ///
    /// - Throws: ``StartFailure`` when a part fails and the daemon can't go on.
    func run(reloads: AsyncStream<Void>, reading read: @escaping SettingsReading) async throws(StartFailure) {
        let server = controlServer()
        let serving = Task { [self] in
            try await server.run(on: socket) { [self] in
                await becameReady(server, reloads: reloads, reading: read)
            }
        }
        let failure = await firstEnding(of: serving)
        // Repeating this does no harm, and a part that has failed gets here first.
        notifier.stopping(status: "stopping…")
        serving.cancel()
        await parts.stop {
            _ = await serving.result
            ControlSockets.removeFile()
            await engine.stop()
        }
        // Not with the other parts, since a start that fails and is tried again goes on reporting.
        reporter.stop(for: Reporter.patience)
        await closeStore()
        if let failure { throw failure }
    }

    /// Closes the job store, on a thread of its own: closing waits for whoever reads it, who may need one of
    /// the shared threads, of which there are as many as processors.
    private func closeStore() async {
        let result = await withCheckedContinuation { continuation in
            Thread { [ground] in continuation.resume(returning: Result { try ground.store.close() }) }.start()
        }
        do { try result.get() } catch { logger.warning("closing the job store failed: \(error)") }
    }

    private func becameReady(
        _ server: ControlServer,
        reloads: AsyncStream<Void>,
        reading read: @escaping SettingsReading
    ) async {
        logger.notice(
            "ready: control socket \(settings.paths.socket), documents in \(documents.documentsPath)"
        )
        // The latest text of the engine counts; it is sent together with the readiness.
        notifier.ready(status: statusLine.text)
        feedWatchdog(server)
        Task { [errands] in await errands.follow(reloads) }
        Task { [weak self, errands] in
            for await errand in errands.all {
                switch errand {
                case .reload: await self?.reload(server, reading: read)
                case .review: await self?.reviewNetwork()
                }
            }
        }
    }

    private func feedWatchdog(_ server: ControlServer) {
        guard let interval = notifier.watchdogInterval else { return }
        let (engine, transfers, notifier, logger) = (engine, transfers, notifier, logger)
        let reporter = reporter
        let watchdog = Watchdog(
            interval: interval,
            parts: [
                .init(Fault.Part.engine.rawValue) { engine.checkIn($0) },
                .init(Fault.Part.transfers.rawValue) { transfers.checkIn($0) },
                .init(Fault.Part.control.rawValue) { server.checkIn($0) },
            ],
            feed: { notifier.feedWatchdog() },
            complain: { parts in
                logger.error("\(parts) did not answer in time; the watchdog is not fed until then")
                reporter.areStuck(Fault.Part.named(in: parts))
            },
            recover: { reporter.noneIsStuck() }
        )
        watchdogs.withLock { $0 = watchdog }
    }

    private func controlServer() -> ControlServer {
        var configuration = settings.controlServer
        for part in parts { part.show(in: &configuration) }
        configuration.followersChanged = attendance()
        return ControlServer(
            configuration: configuration,
            control: engine,
            queries: ground.store,
            sources: sources,
            now: ground.now,
            logger: logger
        )
    }

    /// Returns a function that opens the gate while somebody follows the events, if the settings say so.
    private func attendance() -> @Sendable (Int) -> Void {
        { [weak self] count in
            guard let self else { return }
            // Within the lock, so that the engine hears of followers in the order in which they come and
            // go.
            followers.withLock { followers in
                followers = count
                if latest.value.detection.when == .attended {
                    engine.followDetectionGate(open: count > 0)
                }
            }
        }
    }

    /// Waits until the daemon is told to stop, or a part can't go on; returns the reason in the latter
    /// case.
    private func firstEnding(of server: Task<Void, any Error>) async -> StartFailure? {
        let (endings, tell) = AsyncStream<StartFailure?>.makeStream()
        let watchers: [Task<Void, Never>] = [
            Task<Void, Never> { [ending] in
                for await _ in ending.requests { break }
                tell.yield(nil)
            },
            Task<Void, Never> { [ground] in
                _ = tell.yield(await ground.engine.untilEnded().map(ground.storeFile.failure))
            },
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
