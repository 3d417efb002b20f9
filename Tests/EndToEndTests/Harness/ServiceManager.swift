import Foundation
import Glibc

/// Plays systemd towards a daemon: a socket that its notifications come to (sd_notify(3)).
final class ServiceManager: Sendable {
    /// The socket's path, for `NOTIFY_SOCKET`.
    let path: String
    private let messages: AsyncStream<[String]>

    struct Failure: Error { let errno: Int32 }

    init(path: String) throws {
        self.path = path
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Failure(errno: errno) }
        let (messages, tell) = AsyncStream<[String]>.makeStream()
        self.messages = messages
        let thread = Thread {
            var buffer = [UInt8](repeating: 0, count: 8192)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count < 0, errno == EINTR { continue }
                // Whoever has heard enough says so by an empty message.
                guard count > 0 else { break }
                let text = String(decoding: buffer[..<count], as: UTF8.self)
                tell.yield(text.split(separator: "\n").map(String.init))
            }
            tell.finish()
            close(descriptor)
            unlink(path)
        }
        thread.start()
    }

    /// All messages up to the first with a line that has these words in front, that one included.
    ///
    /// With nothing after it to wait for, the test's own time limit ends the waiting.
    func messages(until words: String) async -> [[String]] {
        var heard: [[String]] = []
        for await message in messages {
            heard.append(message)
            if message.contains(where: { $0.hasPrefix(words) }) { break }
        }
        return heard
    }
}
