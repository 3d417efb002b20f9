import CDaemon
import Glibc

/// Reports the service's state to systemd (sd_notify(3)).
///
/// If nothing supervises the process, calls do nothing.
struct ServiceNotifier: Sendable {
    /// Creates a notifier; the receiver is read from `NOTIFY_SOCKET` with every call.
    init() {}

    /// True if the process is supervised.
    var isSupervised: Bool { getenv("NOTIFY_SOCKET") != nil }

    /// The interval at which to feed the watchdog, in seconds; nil if there is none.
    ///
    /// It is half of what the unit's `WatchdogSec=` allows, as sd_watchdog_enabled(3) recommends.
    var watchdogInterval: Double? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return Double(microseconds) / 2_000_000
    }

    /// Reports that the service is ready, which also ends a reload.
    func ready(status: String) { send("READY=1\nSTATUS=\(oneLine(status))") }

    /// Sets the line that `systemctl status` shows.
    func status(_ status: String) { send("STATUS=\(oneLine(status))") }

    /// Reports that the service is stopping.
    func stopping(status: String) { send("STOPPING=1\nSTATUS=\(oneLine(status))") }

    /// Reports that the service is reloading, until the next ``ready(status:)``.
    func reloading(status: String) {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)\nSTATUS=\(oneLine(status))")
    }

    /// Reports that the service is alive.
    func feedWatchdog() { send("WATCHDOG=1") }

    /// Asks for more time for starting or stopping: this many seconds from now.
    func extendTimeout(seconds: Double) {
        send("EXTEND_TIMEOUT_USEC=\(UInt64(max(0, seconds) * 1_000_000))")
    }

    private func send(_ message: String) {
        // A missing receiver, or a full queue, must never stop the service.
        _ = sd_notify(0, message)
    }

    private func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
