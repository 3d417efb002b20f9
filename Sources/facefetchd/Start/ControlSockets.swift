import ControlServer
import Glibc
import Settings
import SystemdSupport

/// Where the control socket comes from: a socket unit's, as often as it is wanted, or one made here.
enum ControlSockets {
    /// What the service manager handed over; it does so once.
    private static let inherited = Result<[Int32], InheritedSockets.Malformed> {
        () throws(InheritedSockets.Malformed) in try InheritedSockets.take()
    }

    /// The control socket, listening.
    ///
    /// - Throws: ``StartFailure``
    static func open(_ settings: DaemonSettings) throws(StartFailure) -> ControlSocket {
        let inherited: [Int32]
        do { inherited = try Self.inherited.get() } catch {
            throw StartFailure(status: .badSettings, description: error.description)
        }
        do throws(ControlSocketError) {
            guard let descriptor = inherited.first else {
                return try ControlSocket.bind(path: settings.paths.socket, group: settings.control.group?.id)
            }
            // Whoever serves it closes it; it may be served again.
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            return try ControlSocket.adopt(descriptor: copy >= 0 ? copy : descriptor)
        } catch {
            throw StartFailure(status: .cannotWrite, description: error.description)
        }
    }
}
