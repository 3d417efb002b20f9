import Foundation
import Glibc
import TestSupport

/// Answers on a port of the loopback interface with what a unix socket says, for
/// programs that know no unix sockets.
final class LoopbackBridge: Sendable {
    /// The port.
    let port: UInt16
    private let listener: Int32

    /// Opens a port in front of a socket.
    init(to path: String) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) | listen(listener, 100) | getsockname(listener, $0, &length)
            }
        }
        guard status == 0 else { throw UnixConnection.failure("bind") }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [listener] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Self.join(client, to: path)
            }
        }
    }

    /// Takes no more connections.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    deinit { close(listener) }

    private static func join(_ client: Int32, to path: String) {
        guard let server = connect(to: path) else {
            close(client)
            return
        }
        let done = DispatchGroup()
        for (from, to) in [(client, server), (server, client)] {
            done.enter()
            Thread.detachNewThread {
                copy(from, to)
                done.leave()
            }
        }
        done.notify(queue: .global()) {
            close(client)
            close(server)
        }
    }

    private static func connect(to path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Copies until one side has nothing more to say, and tells the other.
    private static func copy(_ from: Int32, _ to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(from, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            var rest = buffer[..<count]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard sent > 0 else { break }
                rest = rest.dropFirst(sent)
            }
        }
        shutdown(to, Int32(SHUT_WR))
    }
}
