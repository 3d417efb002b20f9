import CDaemon
import Glibc

/// The sockets that systemd opened for this process (sd_listen_fds(3)).
enum InheritedSockets {
    /// The reason why inherited sockets can't be determined.
    struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        /// The errno.
        let errno: Int32

        /// A sentence for people.
        var description: String {
            "LISTEN_FDS and LISTEN_PID make no sense (\(String(cString: strerror(errno)))); "
                + "unset them, or start the daemon through its socket unit"
        }
    }

    /// Receives the descriptors in the order of the unit, and hides them from child processes: they close
    /// on exec, and the variables are removed.
    ///
    /// The result is empty if none were meant for this process.
    static func receive() throws(Malformed) -> [Int32] {
        let count = sd_listen_fds(1)
        guard count >= 0 else { throw Malformed(errno: -count) }
        return (0..<count).map { SD_LISTEN_FDS_START + $0 }
    }
}
