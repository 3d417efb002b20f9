import Glibc
import Testing

@testable import facefetchd

/// Suites that need the process to themselves: variables of the environment are all of its threads'.
///
/// The name says so to `scripts/test`, too, which runs them after all others, one after the other.
@Suite(.serialized) enum Alone {
    @Suite("Telling systemd") struct ServiceNotifierTests {}
}

extension Alone.ServiceNotifierTests {
    @Test("readiness, status, stopping and signs of life arrive at systemd's socket")
    func notifies() throws {
        let systemd = try NotifySocket()
        let notifier = ServiceNotifier()
        #expect(notifier.isSupervised)
        notifier.ready(status: "12 downloading\n340 queued")
        #expect(try systemd.receive() == ["READY=1", "STATUS=12 downloading 340 queued"])
        notifier.status("opening the job store…")
        #expect(try systemd.receive() == ["STATUS=opening the job store…"])
        notifier.feedWatchdog()
        #expect(try systemd.receive() == ["WATCHDOG=1"])
        notifier.extendTimeout(seconds: 2.5)
        #expect(try systemd.receive() == ["EXTEND_TIMEOUT_USEC=2500000"])
        notifier.reloading(status: "reading the settings")
        let reload = try systemd.receive()
        #expect(reload.first == "RELOADING=1" && reload.contains { $0.hasPrefix("MONOTONIC_USEC=") })
        notifier.stopping(status: "stopping")
        #expect(try systemd.receive() == ["STOPPING=1", "STATUS=stopping"])
    }

    @Test("without systemd nothing happens")
    func unsupervised() {
        unsetenv("NOTIFY_SOCKET")
        let notifier = ServiceNotifier()
        #expect(!notifier.isSupervised)
        notifier.ready(status: "ready")
        #expect(notifier.watchdogInterval == nil)
    }

    @Test("the watchdog is fed twice in its time, when it is meant for this process")
    func watchdog() {
        setenv("WATCHDOG_USEC", "30000000", 1)
        setenv("WATCHDOG_PID", "\(getpid())", 1)
        #expect(ServiceNotifier().watchdogInterval == 15)
        setenv("WATCHDOG_PID", "1", 1)
        #expect(ServiceNotifier().watchdogInterval == nil)
        unsetenv("WATCHDOG_USEC")
        unsetenv("WATCHDOG_PID")
    }

    @Test("sockets meant for another process are left alone, and nonsense is said")
    func sockets() throws {
        #expect(try InheritedSockets.receive() == [])
        setenv("LISTEN_FDS", "1", 1)
        setenv("LISTEN_PID", "1", 1)
        #expect(try InheritedSockets.receive() == [])
        setenv("LISTEN_PID", "\(getpid())", 1)
        setenv("LISTEN_FDS", "many", 1)
        #expect(throws: InheritedSockets.Malformed.self) { try InheritedSockets.receive() }
        unsetenv("LISTEN_FDS")
        unsetenv("LISTEN_PID")
    }
}
