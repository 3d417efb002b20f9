import Dispatch
import Glibc

/// A client's end of a connection to a unix socket, byte by byte.
///
/// Calls block a queue of their own, never the threads that the server under test runs on.
public final class UnixConnection: Sendable {
    /// A call that failed.
    public struct Failure: Error, CustomStringConvertible {
        let call: String
        /// The system's number for why.
        public let errno: Int32
        /// For people.
        public var description: String { "\(call): \(String(cString: strerror(errno)))" }
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "client")

    /// Connects; reads give up after a while, so that a test can fail instead of hanging.
    public init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", errno: errno) }
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // The object is whole by now: throwing deinitializes it, which closes the descriptor.
        guard status == 0 else { throw Failure(call: "connect", errno: errno) }
    }

    /// Returns the failure of a call.
    public static func failure(_ call: String) -> Failure { Failure(call: call, errno: Glibc.errno) }

    deinit { close(descriptor) }

    /// Sends all bytes.
    public func send(_ bytes: [UInt8]) async throws {
        try await blocking { descriptor in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { bytes in
                    uninterrupted {
                        Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                    }
                }
                guard count > 0 else { throw Failure(call: "send", errno: errno) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Sends a text.
    public func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Returns the bytes that come next; empty at the end.
    public func receive() async throws -> [UInt8] {
        try await blocking { descriptor in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = uninterrupted { recv(descriptor, &buffer, buffer.count, 0) }
            guard count >= 0 else { throw Failure(call: "recv", errno: errno) }
            return Array(buffer[..<count])
        }
    }

    /// Says that nothing more will be sent.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    private func blocking<Result: Sendable>(
        _ body: @escaping @Sendable (Int32) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Swift.Result { try body(descriptor) })
            }
        }
    }
}
