import Logging
import Synchronization
import SystemdSupport

/// Follows whether the machine's connection is metered, while the settings depend on that.
final class MeteredConnection: Sendable {
    private let watch = Mutex<MeteredWatch?>(nil)
    private let logger: Logger
    private let tell: @Sendable (Bool) -> Void

    init(logger: Logger, tell: @escaping @Sendable (Bool) -> Void) {
        self.logger = logger
        self.tell = tell
    }

    /// Begins or ends asking.
    func configure(isNeeded: Bool) {
        watch.withLock { watch in
            guard isNeeded != (watch != nil) else { return }
            watch?.stop()
            watch = isNeeded ? MeteredWatch(logger: logger, tell: tell) : nil
        }
    }
}
