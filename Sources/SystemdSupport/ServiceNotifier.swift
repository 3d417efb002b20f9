import CSystemd
import Glibc

/// Tells systemd how the service is (sd_notify(3)).
///
/// Where nothing supervises the process every call does nothing.
public struct ServiceNotifier: Sendable {
    /// Whom to tell is read from `NOTIFY_SOCKET` with every call.
    public init() {}

    /// True when somebody listens.
    public var isSupervised: Bool { getenv("NOTIFY_SOCKET") != nil }

    /// How often the watchdog wants to be fed, in seconds.
    ///
    /// Half of what the unit's `WatchdogSec=` allows, as sd_watchdog_enabled(3)
    /// recommends. Nil when there is no watchdog.
    public var watchdogInterval: Double? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return Double(microseconds) / 2_000_000
    }

    /// The service does its work from now on; also ends a reload.
    public func ready(status: String) { send("READY=1\nSTATUS=\(oneLine(status))") }

    /// One line for `systemctl status`.
    public func status(_ status: String) { send("STATUS=\(oneLine(status))") }

    /// The service is about to end.
    public func stopping(status: String) { send("STOPPING=1\nSTATUS=\(oneLine(status))") }

    /// The service reads its settings again, until the next ``ready(status:)``.
    public func reloading(status: String) {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)\nSTATUS=\(oneLine(status))")
    }

    /// The service is alive and not stuck.
    public func feedWatchdog() { send("WATCHDOG=1") }

    /// Starting or stopping takes longer, but is not stuck: for so many more seconds from now.
    public func extendTimeout(seconds: Double) {
        send("EXTEND_TIMEOUT_USEC=\(UInt64(max(0, seconds) * 1_000_000))")
    }

    private func send(_ message: String) {
        // Nobody to tell, or a full queue, must never stop the service.
        _ = sd_notify(0, message)
    }

    private func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
