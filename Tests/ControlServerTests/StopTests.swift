import ControlServer
import TestSupport
import Testing

@Suite(.serialized)
struct StopTests {
    @Test("A server that stops while clients come in ends cleanly", arguments: 1...15)
    func stopWhileConnecting(round: Int) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/control.sock"
            let flood = Task {
                // Until the socket is gone; connections are dropped at once, some half served.
                var connections: [UnixConnection] = []
                for _ in 0..<300 where !Task.isCancelled {
                    await Task.yield()
                    guard let connection = try? UnixConnection(path: path) else { continue }
                    connections.append(connection)
                    if connections.count > 20 { connections.removeAll() }
                }
            }
            try await serve(
                on: try ControlSocket.bind(path: path),
                testConfiguration()
            ) { _ in
                for _ in 0..<round * 20 { await Task.yield() }
            }
            flood.cancel()
            await flood.value
        }
    }
}
