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

    /// Makes the control socket again whose file somebody has removed; nil where that is there.
    ///
    /// What has its place is treated as at a start: another daemon's socket is left to it.
    ///
    /// - Throws: ``ControlSocketError``, also where the file is systemd's to make.
    static func renewed(_ settings: DaemonSettings) throws(ControlSocketError) -> ControlSocket? {
        guard let before = kept.withLock(\.self), !before.hasFile else { return nil }
        if let path = before.inheritedPath { throw .inheritedFileGone(path) }
        let socket = try ControlSocket.bind(path: settings.paths.socket, group: settings.control.group?.id)
        before.giveUpFile()
        kept.withLock { $0 = socket }
        return socket
    }

    /// Removes the file of a socket made here, because the process is about to exit, without waiting for anything.
    static func removeFile() {
        // The lock is never held for long; if it is, leaving a file behind is better than not ending.
        kept.withLockIfAvailable(\.self)??.removeFile()
    }
}
