import ControlAPI
import Foundation
import Glibc
import Synchronization

/// An HTTP/1.1 server on a unix socket of its own that answers as a test says.
///
/// Each connection has a thread; requests and answers are real bytes on a real socket.
final class ScriptedDaemon: Sendable {
    /// One request, as it came.
    struct Request: Sendable {
        var method: String
        var path: String
        var query: [String: String]
        var headers: [String: String]
        var body: Data
    }

    /// A reply.
    enum Reply: Sendable {
        /// A whole answer.
        case whole(status: Int, type: String, body: Data)
        /// An event stream in these pieces; then it stays open, or ends cleanly, or the connection breaks.
        case events([String], then: StreamEnd)
        /// No answer: the connection is closed.
        case hangUp
    }

    /// The way an event stream goes on after its last piece.
    enum StreamEnd: Sendable { case staysOpen, ends, breaks }

    let socketPath: String
    private let directory: String
    private let answer: @Sendable (Request) -> Reply
    private struct State {
        var listener: Int32 = -1
        var open: Set<Int32> = []
        var requests: [Request] = []
    }
    private let state = Mutex(State())

    /// Serves until ``stop()``.
    init(_ answer: @escaping @Sendable (Request) -> Reply) throws {
        var template = Array("/tmp/facefetch-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        socketPath = directory + "/control.sock"
        self.answer = answer
        try start()
    }

    deinit { stop() }

    /// All requests so far.
    var requests: [Request] { state.withLock(\.requests) }

    /// Listens again after ``pause()``.
    func start() throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        guard bound == 0, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
        state.withLock { $0.listener = listener }
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0, let self else {
                    // Here, so that nobody else's descriptor has its number while it is waited at.
                    close(listener)
                    return
                }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                self.state.withLock { _ = $0.open.insert(connection) }
                Thread.detachNewThread { [weak self] in
                    while let self, self.serve(connection) {}
                    self?.end(connection)
                }
            }
        }
    }

    /// Breaks every connection and takes the socket away, as a daemon that is killed and cleaned up after.
    func pause() {
        unlink(socketPath)
        state.withLock { state in
            shutdown(state.listener, Int32(SHUT_RDWR))
            state.listener = -1
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// Goes away and comes back.
    func restart() throws {
        pause()
        try start()
    }

    /// Ends, and removes the socket and its directory.
    func stop() {
        pause()
        rmdir(directory)
    }

    private func end(_ connection: Int32) {
        state.withLock { _ = $0.open.remove(connection) }
        close(connection)
    }

    /// Serves one request; false when the connection is over.
    private func serve(_ connection: Int32) -> Bool {
        guard let request = RequestReader.read(connection) else { return false }
        state.withLock { $0.requests.append(request) }
        switch answer(request) {
        case .hangUp:
            return false
        case .whole(let status, let type, let body):
            let head =
                "HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
            return Self.send(Data(head.utf8) + body, to: connection)
        case .events(let pieces, let then):
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            guard Self.send(Data(head.utf8), to: connection) else { return false }
            for piece in pieces {
                let chunk = "\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n"
                guard Self.send(Data(chunk.utf8), to: connection) else { return false }
            }
            switch then {
            case .ends: return Self.send(Data("0\r\n\r\n".utf8), to: connection)
            case .breaks: return false
            case .staysOpen:
                // Until the client goes, or the daemon is stopped.
                var byte: UInt8 = 0
                while recv(connection, &byte, 1, 0) > 0 {}
                return false
            }
        }
    }

    private static func send(_ data: Data, to connection: Int32) -> Bool {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension ScriptedDaemon.Reply {
    /// A value as JSON.
    static func json(_ value: some Encodable, status: Int = 200) -> Self {
        .whole(status: status, type: "application/json", body: (try? JSONEncoder().encode(value)) ?? Data())
    }

    /// A problem document.
    static func problem(
        _ status: Int,
        _ code: String,
        _ detail: String,
        errors: [ProblemJSON.ItemError]? = nil
    ) -> Self {
        let problem = ProblemJSON(title: "X", status: status, code: code, detail: detail, errors: errors)
        return .whole(
            status: status,
            type: "application/problem+json",
            body: (try? JSONEncoder().encode(problem)) ?? Data()
        )
    }
}
