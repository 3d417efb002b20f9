import ControlServer
import Logging
import Settings
import Synchronization

/// A function that reads the settings again, as at the start.
typealias SettingsReading = @Sendable () throws(StartFailure) -> DaemonSettings

/// Reloading on SIGHUP: the event log is reopened, the control socket is made again if its file is gone, and the
/// settings are read again.
extension Daemon {
    /// Reopens the event log and, if need be, the control socket, then applies what has changed in the settings if they
    /// are valid.
    func reload(_ server: ControlServer, reading read: SettingsReading) async {
        notifier.reloading(status: "reading the settings…")
        // After rotation, which has nothing to do with the settings.
        do { try eventLog.reopen() } catch { logger.error("\(error)") }
        await renewSocket(of: server)
        do throws(StartFailure) {
            let newer = try read()
            for notice in try newer.check() { logger.warning("\(notice)") }
            try await apply(newer)
            await sources.apply(filesIn: newer.sources.directory)
        } catch {
            for line in error.description.split(separator: "\n") { logger.error("\(line)") }
            logger.error("the settings stay as they were; correct them, then reload again")
        }
        // If told to stop in the meantime, the daemon must not report that it is ready.
        if !ending.isRequested { notifier.ready(status: statusLine.text) }
    }

    /// Has clients find the daemon again, if somebody has removed the control socket's file.
    private func renewSocket(of server: ControlServer) async {
        do {
            guard let socket = try ControlSockets.renewed(settings) else { return }
            do {
                try await server.listen(on: socket)
            } catch {
                // So that the next reload tries it again.
                socket.removeFile()
                throw error
            }
            logger.notice("the control socket \(settings.paths.socket) was gone, and is there again")
        } catch {
            logger.error("clients don't find this daemon: \(error)")
        }
    }

    private func apply(_ newer: DaemonSettings) async throws(StartFailure) {
        let before = latest.value
        let changes = before.changes(to: newer).filter { !$0.needsRestart }
        let kept = settings.changes(to: newer).filter(\.needsRestart)
        var inForce = newer
        // Settings that can't change keep the values that the parts were started with.
        (inForce.paths, inForce.control) = (settings.paths, settings.control)
        let putInForce = try await parts.configure(inForce)
        // From here on nothing can fail.
        latest.set(inForce)
        ground.surroundings.log.level = newer.log.level.loggerLevel
        putInForce()
        if before.detection.when != newer.detection.when { await setGate(newer.detection.when) }
        for change in changes {
            logger.notice("\(change.key) is now \(change.now.shown); it was \(change.before.shown)")
        }
        for change in kept {
            logger.warning(
                "\(change.key) stays \(change.before.shown); restart the daemon to make it \(change.now.shown)"
            )
        }
        let hasOtherModel = before.detection.found != newer.detection.found
        if hasOtherModel { logger.notice("\(newer.detection.lookingText)") }
        if changes.isEmpty, kept.isEmpty, !hasOtherModel { logger.notice("the settings have not changed") }
    }

    /// Sets the gate according to a changed setting.
    private func setGate(_ when: DaemonSettings.Detection.When) async {
        switch when {
        case .always, .never: try? await engine.setDetectionGate(open: true)
        case .held: try? await engine.setDetectionGate(open: false)
        case .attended:
            followers.withLock { engine.followDetectionGate(open: $0 > 0) }
        }
    }
}

extension String {
    /// A setting's value for a sentence.
    fileprivate var shown: String { isEmpty ? "not set" : "\"\(self)\"" }
}

extension DaemonSettings.Detection {
    /// A sentence about the engine and its network.
    fileprivate var lookingText: String {
        let network = found.map { "\($0.name) was found at \($0.path)" } ?? "no network was found for yunet"
        return "\(network): \(looking) looks for faces from now on"
    }
}

extension DaemonSettings.Log.Level {
    /// The same level in the logger's terms.
    var loggerLevel: Logger.Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .notice: .notice
        case .info: .info
        case .debug: .debug
        }
    }
}
