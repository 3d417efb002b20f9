import Dispatch
import Foundation
import JobModel
import Synchronization
import Vocabulary

/// A real HTTP/1.1 server on loopback that does what tests tell it to, wrong things included.
///
/// ```swift
/// let origin = try Origin.start()
/// defer { origin.stop() }
/// let file = OriginFile(seed: 1, count: 100_000)
/// origin.serve("/a.jpg") { request in
///     request.index == 0 ? file.whole.cut(after: 40_000) : file.answer(to: request)
/// }
/// ```
public final class Origin: Sendable {
    /// Says what is answered to a request; called on a thread of the connection.
    public typealias Handler = @Sendable (OriginRequest) -> OriginAnswer

    private struct State {
        var handlers: [String: Handler] = [:]
        var fallback: Handler = { _ in
            OriginAnswer(404, [("Content-Type", "text/plain")], body: Array("no such file\n".utf8))
        }
        var records: [OriginRequest] = []
        var counts: [String: Int] = [:]
        var connections: [Int32: OriginSocket] = [:]
        var connectionCount = 0
        var gates: [OriginGate] = []
        var isStopped = false
    }

    /// The address it listens at.
    public let address: String
    /// The port it listens at.
    public let port: UInt16

    private let listener: OriginSocket
    private let state = Mutex(State())
    private let threads = DispatchGroup()

    /// Starts a server at a loopback address and a free port, unless told otherwise.
    public static func start(address: String = "127.0.0.1", port: UInt16 = 0) throws -> Origin {
        let (listener, port) = try OriginSocket.listen(at: address, port: port)
        let origin = Origin(listener: listener, address: address, port: port)
        origin.threads.enter()
        Thread.detachNewThread { [origin] in
            origin.acceptAll()
            origin.threads.leave()
        }
        return origin
    }

    private init(listener: OriginSocket, address: String, port: UInt16) {
        self.listener = listener
        self.address = address
        self.port = port
    }

    /// Serves a path through a handler.
    public func serve(_ path: String, _ handler: @escaping Handler) {
        state.withLock { $0.handlers[path] = handler }
    }

    /// Serves a file at a path, honestly.
    public func serve(_ path: String, _ file: OriginFile) { serve(path) { file.answer(to: $0) } }

    /// Answers every other path through a handler, in place of 404.
    public func serveOthers(_ handler: @escaping Handler) { state.withLock { $0.fallback = handler } }

    /// The URL of a path; at another host where it listens at all addresses.
    public func url(_ path: String, at host: String? = nil) -> String {
        "http://\(host ?? (address.contains(":") ? "[\(address)]" : address)):\(port)\(path)"
    }

    /// The URL of a path, as jobs have it.
    public func jobURL(_ path: String) throws -> JobURL { try JobURL(url(path)) }

    /// The requests for a path so far, in order.
    public func requests(_ path: String) -> [OriginRequest] {
        state.withLock { $0.records.filter { $0.path == path } }
    }

    /// All requests so far, in order.
    public var requests: [OriginRequest] { state.withLock { $0.records } }

    /// The number of connections that were made so far.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// Ends every connection, opens every gate and gives back the port.
    ///
    /// Further calls do nothing.
    public func stop() {
        let open = state.withLock { state -> (sockets: [OriginSocket], gates: [OriginGate])? in
            guard !state.isStopped else { return nil }
            state.isStopped = true
            // Under the lock, since a connection leaves the table before it is closed.
            for socket in state.connections.values { socket.shutDown() }
            return (Array(state.connections.values), state.gates)
        }
        guard let open else { return }
        listener.shutDown()
        for gate in open.gates { gate.open() }
        threads.wait()
        listener.close()
    }

    // MARK: - The connections' side

    private func acceptAll() {
        while let socket = listener.accept() {
            let isWanted = state.withLock { state in
                guard !state.isStopped else { return false }
                state.connections[socket.descriptor] = socket
                state.connectionCount += 1
                return true
            }
            guard isWanted else {
                socket.close()
                return
            }
            threads.enter()
            Thread.detachNewThread { [self] in
                OriginConnection(socket: socket, origin: self).run()
                threads.leave()
            }
        }
    }

    /// Forgets a connection that is about to be closed: its number may come again.
    func forget(_ socket: OriginSocket) {
        state.withLock { _ = $0.connections.removeValue(forKey: socket.descriptor) }
    }

    func record(_ request: OriginRequest) -> (request: OriginRequest, record: Int) {
        state.withLock { state in
            var request = request
            request.index = state.counts[request.path, default: 0]
            state.counts[request.path] = request.index + 1
            state.records.append(request)
            return (request, state.records.count - 1)
        }
    }

    func count(_ bytes: Int, record: Int) { state.withLock { $0.records[record].bodyBytesSent += bytes } }

    func end(record: Int) { state.withLock { $0.records[record].ended = .now } }

    func answer(to request: OriginRequest) -> OriginAnswer {
        state.withLock { $0.handlers[request.path] ?? $0.fallback }(request)
    }

    func wait(at gate: OriginGate) {
        let isStopped = state.withLock { state in
            state.gates.append(gate)
            return state.isStopped
        }
        if isStopped { gate.open() }
        gate.pass()
    }
}
