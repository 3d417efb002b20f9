import ControlServer
import Settings
import Synchronization

/// Provides the control socket, either that of a socket unit or one made here.
///
/// It listens throughout the start, whoever serves it and however often, so that clients that connect in
/// between wait instead of being refused.
enum ControlSockets {
    private static let kept = Mutex<ControlSocket?>(nil)

    /// Opens the control socket, or copies the one opened before.
    static func open(_ settings: DaemonSettings) throws(StartFailure) -> ControlSocket {
        do throws(ControlSocketError) {
            if let socket = kept.withLock(\.self) { return try socket.copy() }
        } catch {
            throw StartFailure(status: .cannotWrite, description: error.description)
        }
        let inherited: [Int32]
        do { inherited = try InheritedSockets.receive() } catch {
            throw StartFailure(status: .badSettings, description: error.description)
        }
        do throws(ControlSocketError) {
            let socket: ControlSocket
            if let descriptor = inherited.first {
                socket = try ControlSocket.adopt(descriptor: descriptor)
            } else {
                let group = settings.control.group?.id
                socket = try ControlSocket.bind(path: settings.paths.socket, group: group)
            }
            kept.withLock { $0 = socket }
            return try socket.copy()
        } catch {
            throw StartFailure(status: .cannotWrite, description: error.description)
        }
    }

    /// Releases the socket at the end of the start; from then on only a copy in use keeps it open.
    static func letGo() { kept.withLock(\.self)?.letGo() }

    /// Removes the file of a socket made here, because the process is about to exit, without waiting for anything.
    static func removeFile() {
        // The lock is never held for long; if it is, leaving a file behind is better than not ending.
        kept.withLockIfAvailable(\.self)??.removeFile()
    }
}
