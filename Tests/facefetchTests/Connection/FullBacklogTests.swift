import Dispatch
import Glibc
import TestSupport
import Testing

@testable import facefetch

@Suite("A client, where so many connect that it has to wait")
struct FullBacklogTests {
    /// A socket of whose clients only a few may wait, and as many connections as that.
    private final class FullSocket: Sendable {
        let path: String
        let listener: Int32
        let waiting: [Int32]

        init(path: String) throws {
            self.path = path
            listener = Self.socket()
            guard listener >= 0, Self.call(bind, listener, path) == 0, listen(listener, 0) == 0 else {
                throw UnixConnection.failure("listen")
            }
            var waiting: [Int32] = []
            while case let client = Self.socket(SOCK_NONBLOCK), client >= 0 {
                guard Self.call(connect, client, path) == 0 else {
                    close(client)
                    break
                }
                waiting.append(client)
            }
            self.waiting = waiting
        }

        deinit { for descriptor in waiting + [listener] { close(descriptor) } }

        private static func socket(_ flags: __socket_type = SOCK_CLOEXEC) -> Int32 {
            Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | flags.rawValue), 0)
        }

        private static func call(
            _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32,
            _ descriptor: Int32,
            _ path: String
        ) -> Int32 {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            return withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }

        /// Accepts all who wait, and answers the first who sends something.
        func answer() {
            for _ in waiting { close(accept(listener, nil, nil)) }
            let client = accept(listener, nil, nil)
            defer { close(client) }
            var request = [UInt8](repeating: 0, count: 1000)
            guard recv(client, &request, request.count, 0) > 0 else { return }
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)
            send(client, answer, answer.count, 0)
        }
    }

    @Test("gets its answer once there is room for it")
    func turn() async throws {
        let directory = try TemporaryDirectory()
        let socket = try FullSocket(path: directory.path("s"))
        #expect(!socket.waiting.isEmpty)
        DispatchQueue(label: "server").async { socket.answer() }
        let response = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "client").async {
                continuation.resume(
                    with: Result {
                        try ControlClient(socketPath: socket.path).exchange(HTTPRequest("GET", "/"))
                    }
                )
            }
        }
        #expect(response.status == 200 && response.body == Array("{}".utf8))
    }

    @Test("gives up after a second where there is none, and no sooner")
    func patience() throws {
        let directory = try TemporaryDirectory()
        let socket = try FullSocket(path: directory.path("s"))
        let client = try ControlClient(socketPath: socket.path)
        let begin = ContinuousClock.now
        #expect(throws: ClientError.self) { try client.exchange(HTTPRequest("GET", "/")) }
        #expect(ContinuousClock.now - begin >= .milliseconds(900))
    }
}
