import Glibc
import TestSupport
import TestTraits
import Testing

@testable import ControlServer

/// Questions of which somebody asks very many, where the store's answers are held.
@Suite("Turns of those who read", .ownThread, .timeLimit(.minutes(2)))
struct ReadTurnsTests {
    private func withHeldServer(
        _ body: @escaping @Sendable (RunningServer, HeldQuestions) async throws -> Void
    ) async throws {
        try await withServer { server in
            // The directory and the socket are root's own otherwise.
            chmod(server.path, 0o666)
            chmod(String(server.path.dropLast("/control.sock".count)), 0o755)
            try await server.addFiles(3)
            let held = HeldQuestions()
            defer { held.open() }
            server.engine.queries.hold(held)
            try await body(server, held)
        }
    }

    private func crowd(_ server: RunningServer, _ count: Int, _ target: String) async throws -> [HTTPClient] {
        let crowd = try (0..<count).map { _ in try server.client() }
        for client in crowd { try await client.connection.send(HTTPClient.request("GET", target)) }
        // They have come by the time that the server answers what comes later.
        for _ in 1...3 { _ = try await server.send("GET", "/v1/status") }
        return crowd
    }

    @Test("a search goes before the crowd of another user's", .enabled(if: AccessTests.canPlayOthers))
    func searches() async throws {
        try await withHeldServer { server, held in
            var crowd = try await crowd(server, 20, "/v1/jobs?q=crowd")
            await held.haveCome(1)
            async let other = ask(server, user: "65534", groups: "7", "GET", "/v1/jobs?q=other")
            await held.haveCome(2)
            #expect(held.names == ["crowd", "other"])
            // Nor does steering wait, or a look at a job.
            #expect(try await server.send("POST", "/v1/jobs/1/pause").status == 200)
            #expect(try await server.send("GET", "/v1/jobs/1").status == 200)
            held.open()
            #expect(try await other == "200")
            for index in crowd.indices { #expect(try await crowd[index].response().status == 200) }
            #expect(held.names.count == 21)
        }
    }

    @Test(
        "histories of one user are read as many at a time as there are readers, and one place is left",
        .enabled(if: AccessTests.canPlayOthers)
    )
    func histories() async throws {
        try await withHeldServer { server, held in
            var crowd = try await crowd(server, 20, "/v1/events?after=0&follow=false")
            await held.haveCome(4)
            async let other = ask(server, user: "65534", groups: "7", "GET", "/v1/jobs?limit=1")
            await held.haveCome(5)
            #expect(held.names == ["events", "events", "events", "events", "jobs"])
            #expect(try await server.send("POST", "/v1/jobs/1/pause").status == 200)
            held.open()
            #expect(try await other == "200")
            for index in crowd.indices { #expect(try await crowd[index].response().status == 200) }
        }
    }

    @Test("what was asked for and hung up on isn't carried out")
    func hungUp() async throws {
        try await withHeldServer { server, held in
            var first = try server.client()
            try await first.connection.send(HTTPClient.request("GET", "/v1/jobs?q=first"))
            await held.haveCome(1)
            _ = try await crowd(server, 10, "/v1/jobs?q=gone")
            var areGone = false
            while !areGone {
                // The first one's connection, and its own.
                let metrics = try await server.send("GET", "/v1/metrics").text
                areGone = metrics.contains("facefetch_control_connections 2\n")
            }
            var last = try server.client()
            try await last.connection.send(HTTPClient.request("GET", "/v1/jobs?q=last"))
            held.open()
            #expect(try await first.response().status == 200)
            #expect(try await last.response().status == 200)
            #expect(held.names == ["first", "last"])
        }
    }
}
