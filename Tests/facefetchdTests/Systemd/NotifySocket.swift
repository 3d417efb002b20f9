import Glibc

/// Plays systemd: a datagram socket that notifications come to.
final class NotifySocket {
    let path = "/tmp/ff-notify-\(UInt64.random(in: 0...UInt64.max))"
    private let descriptor: Int32

    struct Failure: Error { let errno: Int32 }

    init() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Failure(errno: errno) }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setenv("NOTIFY_SOCKET", path, 1)
    }

    deinit {
        unsetenv("NOTIFY_SOCKET")
        close(descriptor)
        unlink(path)
    }

    /// The next notification, by lines.
    ///
    /// A datagram is there as soon as it is sent.
    func receive() throws -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Failure(errno: errno) }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
