import ControlAPI
import FoundationEssentials
import Glibc
import TestSupport
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

    @Test("a small body that trickles in without end is ended as a head would be")
    func trickle() async throws {
        var configuration = testConfiguration()
        configuration.idleTimeout = .seconds(1)
        try await withServer(configuration) { server in
            let size = 60_000
            let slow = try server.client()
            try await slow.connection.send(
                "POST /v1/jobs/1/retry HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(size)\r\n\r\n"
            )
            var sent = 0
            // A question in between, so that the bytes come one by one.
            while sent < size, (try? await slow.connection.send(" ")) != nil {
                sent += 1
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(sent < size)
        }
    }

    @Test("a large post that trickles in is ended, too, though nobody waits for its room")
    func trickleOfLarge() async throws {
        var configuration = testConfiguration()
        configuration.idleTimeout = .seconds(1)
        try await withServer(configuration) { server in
            let slow = try server.client()
            try await slow.connection.send(
                "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
                    + "{\"items\":[" + String(repeating: " ", count: 5000)
            )
            var sent = 0
            while sent < 900_000, (try? await slow.connection.send(" ")) != nil {
                sent += 1
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(sent < 900_000)
        }
    }

    @Test(
        "who sends a whole body with what is refused has an answer, and who sends without end comes to one",
        arguments: ["close", "keep-alive"]
    )
    func refusedBody(connection: String) async throws {
        var configuration = testConfiguration()
        configuration.maximumBodySize = 4 << 20
        try await withServer(configuration) { server in
            let piece = String(repeating: " ", count: 1 << 20)
            let head = { (length: Int) in
                "POST /v1/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: \(connection)\r\n"
                    + "Content-Length: \(length)\r\n\r\n"
            }
            var client = try server.client()
            try await client.connection.send(head(3 << 20))
            // More than any socket holds by itself.
            for _ in 1...3 { try await client.connection.send(piece) }
            let response = try await client.response()
            #expect(response.status == 404)
            let endless = try server.client()
            try await endless.connection.send(head(1 << 40))
            var sent = 0
            while sent < 100, (try? await endless.connection.send(piece)) != nil { sent += 1 }
            #expect(sent < 100)
        }
    }

    @Test("a head past the limit is refused and the connection ended")
    func header() async throws {
        try await withServer { server in
            var client = try server.client()
            let field = "X-A: " + String(repeating: "a", count: 40 << 10)
            try await client.connection.send("GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == 431)
            #expect(try response.decoded(as: ProblemJSON.self).code == "header_too_large")
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("a post that doesn't come gives its room to one that waits for it")
    func slowPost() async throws {
        var configuration = testConfiguration()
        configuration.maximumBodySize = 100_000
        configuration.idleTimeout = .seconds(10)
        try await withServer(configuration) { server in
            let padding = String(repeating: " ", count: 80_000)
            let body = "{\"items\":[{\"url\":\"http://example.org/a.jpg\"}]}" + padding
            var slow = try server.client()
            try await slow.connection.send(
                "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99000\r\n"
                    + "Expect: 100-continue\r\n\r\n"
            )
            let leave = try await slow.response()
            #expect(leave.status == 100)
            try await slow.connection.send(padding)
            let status = try await server.send("GET", "/v1/status")
            #expect(status.status == 200)
            let small = try await server.send("POST", "/v1/batches", "{}")
            #expect(small.status == 422)
            let accepted = try await server.send("POST", "/v1/batches", body)
            #expect(accepted.status == 201)
            let hasEnded = try await slow.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("where no room comes, who waits is told to come back")
    func busy() async {
        let admission = BodyAdmission(largest: 100, patience: .milliseconds(20))
        let place = await admission.enter(80, user: 1) {}
        let refused = await admission.enter(80, user: 1) {}
        #expect(place != nil && refused == nil)
        place?.received(10)
        let next = await admission.enter(80, user: 1) {}
        #expect(next != nil)
        // Who waits doesn't hold up the end.
        let patient = BodyAdmission(largest: 100, patience: .seconds(3600))
        let all = await patient.enter(100, user: 1) {}
        async let late = patient.enter(100, user: 1) {}
        patient.end()
        #expect(await late == nil)
        withExtendedLifetime((place, next, all)) {}
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

    @Test("past the most connections, as many wait as the kernel lets, and not only 128")
    func backlog() async throws {
        let most = try String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
        try #require(Int(most.prefix { $0.isNumber }) ?? 0 >= 500)
        var configuration = testConfiguration()
        configuration.maximumConnections = 1
        try await withServer(configuration) { server in
            var first = try server.client()
            _ = try await first.send("GET", "/v1/status")
            for _ in 0..<400 {
                let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
                defer { close(client) }
                let address = try #require(SocketAddress(path: server.path))
                let status = address.withPointer { connect(client, $0, $1) }
                // Who has gone again still has a place until it is accepted.
                try #require(status == 0, "\(String(cString: strerror(errno)))")
            }
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

    @Test("followers that don't read the history have 64 MiB of it in memory at the most, together")
    func unreadHistory() async throws {
        try await withServer { server in
            // A page of 500 of them is 12 MB.
            let name = String(repeating: "x", count: 8000)
            try server.engine.addHeldBatches(1)
            try server.engine.happen(
                (0..<1000).map { .stored(name: name, path: "/documents/\($0)/\(name)") },
                inTurns: true
            )
            let crowd = try (0..<9).map { _ in try server.client() }
            for lazy in crowd {
                try await lazy.connection.send(HTTPClient.request("GET", "/v1/events?after=0"))
            }
            var open = crowd.count
            for _ in 0..<5000 where open > 7 {
                let metrics = try await server.send("GET", "/v1/metrics").text
                let line = metrics.split(separator: "\n").first {
                    $0.hasPrefix("facefetch_control_connections ")
                }
                // Its own connection is one of them.
                open = (line?.split(separator: " ").last).flatMap { Int($0) }.map { $0 - 1 } ?? 0
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect((1...7).contains(open))
            withExtendedLifetime(crowd) {}
        }
    }

    @Test("a page is made once for a client that doesn't read it, and the client is ended after a while")
    func unreadPages() async throws {
        var configuration = testConfiguration()
        configuration.idleTimeout = .seconds(1)
        try await withServer(configuration) { server in
            try await server.addFiles(1000)
            let lazy = try server.client()
            let request = HTTPClient.request("GET", "/v1/jobs?limit=1000")
            for _ in 0..<5 { try await lazy.connection.send(request) }
            // Each question comes over a connection of its own, which may be the second one still.
            var hasEnded = false
            for _ in 0..<1000 where !hasEnded {
                let metrics = try await server.send("GET", "/v1/metrics").text
                hasEnded =
                    server.engine.queries.pages > 0
                    && metrics.contains("facefetch_control_connections 1\n")
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(hasEnded)
            #expect(server.engine.queries.pages == 1)
            withExtendedLifetime(lazy) {}
        }
    }
}
