import Logging
import Settings
import Synchronization

/// Follows whether the machine's connection is metered, while the settings depend on that.
final class MeteredConnection: Part {
    private let watch = Mutex<MeteredWatch?>(nil)
    private let logger: Logger
    private let tell: @Sendable (Bool) -> Void

    init(on ground: Ground) {
        let engine = ground.engine
        logger = ground.logger
        tell = { engine.setMetered($0) }
    }

    func configure(_ settings: DaemonSettings) -> Change? {
        { self.configure(isNeeded: settings.transfer.onMetered == .hold) }
    }

    func stop() { configure(isNeeded: false) }

    /// Begins or ends asking.
    private func configure(isNeeded: Bool) {
        watch.withLock { watch in
            guard isNeeded != (watch != nil) else { return }
            watch?.stop()
            watch = isNeeded ? MeteredWatch(logger: logger, tell: tell) : nil
        }
    }
}
