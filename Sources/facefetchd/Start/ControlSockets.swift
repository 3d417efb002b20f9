import ControlServer
import Settings
import Synchronization
import SystemdSupport

/// Provides the control socket: that of a socket unit, or one made here.
///
/// It listens until a start is over, whoever serves it and however often, so that who connects in
/// between waits and is not refused.
enum ControlSockets {
    private static let kept = Mutex<ControlSocket?>(nil)

    /// The control socket, listening.
    ///
    /// - Throws: ``StartFailure``
    static func open(_ settings: DaemonSettings) throws(StartFailure) -> ControlSocket {
        do throws(ControlSocketError) {
            if let socket = kept.withLock({ $0 }) { return try socket.copy() }
        } catch {
            throw StartFailure(status: .cannotWrite, description: error.description)
        }
        let inherited: [Int32]
        do { inherited = try InheritedSockets.take() } catch {
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

    /// The start is over: the socket is nobody's but whose copy is in use.
    static func letGo() { kept.withLock { $0 = nil } }

    /// Removes the file of a socket that was made here: the process is about to go.
    static func removeFile() { kept.withLock { $0 }?.removeFile() }
}
