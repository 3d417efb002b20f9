import Glibc

/// Connects to a unix socket, and waits a second where so many are connecting that it has no room for another.
///
/// libcurl doesn't wait, so it would give up at once (EAGAIN, unix(7)).
enum PatientConnect {
    /// The time in seconds that a client waits.
    private static let patience = 1

    /// Connects a socket that libcurl has made; false where that failed, of which libcurl's own try says why.
    static func connect(_ descriptor: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let flags = fcntl(descriptor, F_GETFL)
        guard fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0, setLimit(descriptor, patience) else {
            return false
        }
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return setLimit(descriptor, 0) && fcntl(descriptor, F_SETFL, flags) == 0 && status == 0
    }

    /// Limits how long a call may wait to send, and so to connect (socket(7)); 0 is no limit.
    private static func setLimit(_ descriptor: Int32, _ seconds: Int) -> Bool {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        return setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            == 0
    }
}
