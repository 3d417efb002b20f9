import ControlAPI
import Glibc
import Testing

@testable import ControlServer

@Suite("Limits of connections")
struct LimitsTests {
    @Test(
        "a connection that says nothing, or only half a request, is ended after a while",
        arguments: [
            "", "GET /v1/sta", "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{",
        ]
    )
    func idle(half: String) async throws {
        var configuration = testConfiguration()
        configuration.idleTimeout = .milliseconds(200)
        try await withServer(configuration) { server in
            var client = try server.client()
            if !half.isEmpty { try await client.connection.send(half) }
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("a head past the limit is refused and the connection ended")
    func header() async throws {
        try await withServer { server in
            var client = try server.client()
            let field = "X-A: " + String(repeating: "a", count: 40 << 10)
            try await client.connection.send("GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == 400)
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("1,000 idle connections hold nobody up")
    func crowd() async throws {
        try await withServer { server in
            let crowd = try (0..<1000).map { _ in try UnixConnection(path: server.path) }
            let response = try await server.send("GET", "/v1/status")
            #expect(response.status == 200)
            withExtendedLifetime(crowd) {}
        }
    }

    @Test("past the most connections, the next is served as soon as one goes")
    func most() async throws {
        var configuration = testConfiguration()
        configuration.maximumConnections = 2
        try await withServer(configuration) { server in
            var first: HTTPClient? = try server.client()
            _ = try await first?.send("GET", "/v1/status")
            var second = try server.client()
            _ = try await second.send("GET", "/v1/status")
            var third = try server.client()
            try await third.connection.send(HTTPClient.request("GET", "/v1/status"))
            first = nil
            let response = try await third.response()
            #expect(response.status == 200)
        }
    }

    @Test("a client that doesn't read its answers holds up neither the others nor the stop")
    func unread() async throws {
        try await withServer { server in
            try await server.addFiles(1000)
            let lazy = try server.client()
            let request = HTTPClient.request("GET", "/v1/jobs?limit=1000")
            for _ in 0..<5 { try await lazy.connection.send(request) }
            let response = try await server.send("GET", "/v1/status")
            #expect(response.status == 200)
            withExtendedLifetime(lazy) {}
        }
    }

    /// How many bad requests are made; `FACEFETCH_FUZZ_REQUESTS` sets it.
    static let badRequests = getenv("FACEFETCH_FUZZ_REQUESTS").flatMap { Int(String(cString: $0)) } ?? 1500

    @Test("garbage of any kind ends its own connection only, and leaves no descriptor behind")
    func garbage() async throws {
        try await withServer { server in
            var random = Seeded(state: 20_261_121)
            for _ in 0..<Self.badRequests {
                let client = try server.client()
                // The server may end the connection before all is said.
                try? await client.connection.send(Garbage.request(&random))
                client.connection.finishSending()
                while let bytes = try? await client.connection.receive(), !bytes.isEmpty {}
            }
            // This one, and perhaps the last one before it, whose end is on its way.
            let open = try await openConnections(server)
            #expect(open <= 2)
            let response = try await server.send("GET", "/v1/status")
            #expect(response.status == 200)
        }
    }

    /// How many connections the server has open, this one included.
    private func openConnections(_ server: RunningServer) async throws -> Int {
        let metrics = try await server.send("GET", "/v1/metrics")
        let name = "facefetch_control_connections "
        let line = metrics.text.split(separator: "\n").first { $0.hasPrefix(name) }
        return Int(line?.dropFirst(name.count) ?? "") ?? .max
    }
}

/// Makes bad requests, the same ones for the same seed.
enum Garbage {
    private static let words = [
        "GET", "POST", "PATCH", "HEAD", "get", "/v1/status", "/v1/batches", "/v1/jobs/1", "/v1/jobs?limit=",
        "/v1/events",
        " ", " HTTP/1.1", " HTTP/9.9", "\r\n", "\n", "\r\n\r\n", "Host: localhost\r\n",
        "Host: localhost\r\nHost: x\r\n",
        "Content-Length: 5\r\n", "Content-Length: -1\r\n", "Content-Length: 99999999999999999999\r\n",
        "Transfer-Encoding: chunked\r\n", "ffffffffffffffff\r\n", "0\r\n\r\n", "5\r\nhello\r\n",
        "{\"items\":[", "{\"url\":",
        "]}", "Expect: 100-continue\r\n", "Last-Event-ID: 1\r\n", "Connection: close\r\n", "Upgrade: h2c\r\n",
        "%00", "\u{0}",
        "é", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ":", "Idempotency-Key: a\r\n",
    ]

    static func request(_ random: inout Seeded) -> [UInt8] {
        var bytes: [UInt8] = []
        if Bool.random(using: &random) { bytes += "GET /v1/status HTTP/1.1\r\nHost: localhost\r\n".utf8 }
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            if Int.random(in: 0..<5, using: &random) == 0 {
                bytes += (0..<Int.random(in: 1...64, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            } else {
                bytes += (words.randomElement(using: &random) ?? "").utf8
            }
        }
        return bytes
    }
}

/// A small generator that can be seeded (SplitMix64, Steele, Lea and Flood 2014).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
