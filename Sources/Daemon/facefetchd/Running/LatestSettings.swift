import Settings
import Synchronization

/// The settings as they are now, for those who look each time.
final class LatestSettings: Sendable {
    private let current: Mutex<DaemonSettings>

    init(_ settings: DaemonSettings) { current = Mutex(settings) }

    var value: DaemonSettings { current.withLock(\.self) }

    /// Has these apply from now on.
    func set(_ settings: DaemonSettings) { current.withLock { $0 = settings } }
}
