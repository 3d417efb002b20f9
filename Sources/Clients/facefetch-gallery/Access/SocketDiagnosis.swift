import CLinux
import Glibc
import Synchronization

/// Asks the kernel whose one socket is (sock_diag(7)), which takes microseconds however many sockets there are.
final class SocketDiagnosis: Sendable {
    private let descriptor: Mutex<Int32>

    /// Opens a way to ask; nil if the kernel, or what confines this process, allows none.
    ///
    /// Without the kernel's module for TCP no socket is ever found. So it is tried with a connection of our own,
    /// which has to be found.
    init?() {
        let descriptor = CLinux_open_socket_diagnosis()
        guard descriptor >= 0 else { return nil }
        self.descriptor = Mutex(descriptor)
        guard let trial = TrialConnection(), user(of: trial.pair) == geteuid() else { return nil }
    }

    deinit { descriptor.withLock { _ = close($0) } }

    /// The user of the process that has made a connection; nil if nobody here has it.
    func user(of pair: SocketPair) -> UInt32? {
        var user: uid_t = 0
        let result = descriptor.withLock { descriptor in
            CLinux_find_tcp_user(
                descriptor,
                pair.peer.address,
                pair.peer.port,
                pair.own.address,
                pair.own.port,
                &user
            )
        }
        return result == 0 ? user : nil
    }
}
