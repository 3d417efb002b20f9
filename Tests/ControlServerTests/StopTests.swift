import ControlServer
import Testing

struct StopTests {
    @Test("A server that stops while clients come in ends cleanly", arguments: 1...15)
    func stopWhileConnecting(round: Int) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/control.sock"
            let flood = Task {
                // Until the socket is gone; connections are dropped at once, some half served.
                var connections: [UnixConnection] = []
                while !Task.isCancelled {
                    guard let connection = try? UnixConnection(path: path) else { continue }
                    connections.append(connection)
                    if connections.count > 20 { connections.removeAll() }
                    await Task.yield()
                }
            }
            try await serve(
                on: try ControlSocket.bind(path: path),
                testConfiguration(),
                engine: InMemoryEngine()
            ) {
                for _ in 0..<round * 20 { await Task.yield() }
            }
            flood.cancel()
            await flood.value
        }
    }
}
