import Foundation
import Glibc

/// A message bus of a test's own, on which python3-dbusmock plays NetworkManager.
///
/// It blocks its thread.
public final class PrivateBus: Sendable {
    private static let (daemon, sender) = ("/usr/bin/dbus-daemon", "/usr/bin/dbus-send")
    private static let python = "/usr/bin/python3"
    private static let name = "org.freedesktop.NetworkManager"
    private static let path = "/org/freedesktop/NetworkManager"

    /// True if Debian's python3-dbusmock is there.
    public static let isThere: Bool = {
        let programs: [String] = [daemon, sender, python]
        guard programs.allSatisfy({ program in access(program, X_OK) == 0 }) else { return false }
        return (try? Shell.run([python, "-c", "import dbusmock"]).status) == 0
    }()
    /// The reason why tests are skipped where it isn't.
    public static let comment = "needs python3-dbusmock"

    private let directory: TemporaryDirectory

    /// Makes a place for a bus, which doesn't run yet.
    public init() throws { directory = try TemporaryDirectory() }

    /// The bus's address.
    public var address: String { "unix:path=\(directory.path("bus"))" }

    /// Starts the bus, and returns when it can be called.
    public func start() throws -> ChildProcess {
        unlink(directory.path("bus"))
        let bus = try ChildProcess(
            Self.daemon,
            ["--session", "--nofork", "--nopidfile", "--address=\(address)"]
        )
        while bus.isRunning, access(directory.path("bus"), F_OK) != 0 { usleep(10_000) }
        return bus
    }

    /// Starts a NetworkManager on the bus that says this of its connection (NMMetered).
    public func startNetworkManager(metered: UInt32) throws -> ChildProcess {
        let manager = try ChildProcess(
            "/usr/bin/env",
            [
                "DBUS_SYSTEM_BUS_ADDRESS=\(address)", Self.python, "-m", "dbusmock", "--system", Self.name,
                Self.path, Self.name,
            ]
        )
        let property = ["string:\(Self.name)", "string:Metered", "variant:uint32:\(metered)"]
        while manager.isRunning, try !call("org.freedesktop.DBus.Mock.AddProperty", property) {
            usleep(50_000)
        }
        // Its coming was told before the property was there.
        try setMetered(metered)
        return manager
    }

    /// Has the NetworkManager say something else.
    public func setMetered(_ metered: UInt32) throws {
        _ = try call(
            "org.freedesktop.DBus.Properties.Set",
            ["string:\(Self.name)", "string:Metered", "variant:uint32:\(metered)"]
        )
    }

    private func call(_ method: String, _ arguments: [String]) throws -> Bool {
        try Shell.run(
            [Self.sender, "--bus=\(address)", "--print-reply", "--dest=\(Self.name)", Self.path, method]
                + arguments
        ).status == 0
    }
}
