import HTTPServer
import HTTPTypes
import NIOCore
import Synchronization
import TestSupport
import Testing

@Suite("The end of a connection to an HTTP server")
struct ConnectionEndTests {
    private struct GivenUp: Error {}

    @Test("ends after a request that says so")
    func closes() async throws {
        try await EchoServer.run(EchoServer.echo) { path in
            var client = try HTTPClient(path: path)
            let last = HTTPClient.request("GET", "/last", fields: ["Connection": "close"])
            try await client.connection.send(last + HTTPClient.request("GET", "/never"))
            let text = try await client.response().text
            #expect(text == "/last 0")
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("says nothing more about a broken body when its response has begun")
    func noSecondResponse() async throws {
        try await EchoServer.run { request, body, writer, _ in
            try await EchoServer.answer(request.path, writer)
        } _: { path in
            var client = try HTTPClient(path: path)
            try await client.connection.send(
                "POST /early HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
            )
            let text = try await client.response().text
            #expect(text == "/early")
            try await client.connection.send("zzz\r\n")
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("has its answers read to the end, though a body is broken behind the last of them")
    func keepsAnswers() async throws {
        let text = String(repeating: "x", count: 100_000)
        try await EchoServer.run { _, _, writer, _ in
            try await EchoServer.answer(text, writer)
        } _: { path in
            var client = try HTTPClient(path: path)
            let broken =
                "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n"
            try await client.connection.send(
                String(repeating: HTTPClient.request("GET", "/"), count: 30) + broken
            )
            for _ in 1...31 {
                let size = try await client.response().body.count
                #expect(size == text.utf8.count)
            }
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("that is to end when it is idle ends when all of its answer has been taken")
    func quiesces() async throws {
        let answered = Mutex<(any Channel)?>(nil)
        let text = String(repeating: "x", count: 1 << 20)
        try await EchoServer.run { _, _, writer, channel in
            answered.withLock { $0 = channel }
            try await EchoServer.answer(text, writer)
        } _: { path in
            var client = try HTTPClient(path: path)
            try await client.connection.send(HTTPClient.request("GET", "/"))
            // All of it was written at once, and a socket holds only a part.
            let (status, fields) = try await client.head()
            #expect(status == 200 && fields["content-length"] == "1048576")
            let channel = try #require(answered.withLock { $0 })
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            var size = 0
            while case let bytes = try await client.rest(), !bytes.isEmpty { size += bytes.count }
            #expect(size == text.utf8.count)
        }
    }

    @Test("is cut off where answering fails")
    func cutOff() async throws {
        try await EchoServer.run { request, _, writer, _ in
            guard request.path == "/half" else { throw GivenUp() }
            let body = try await writer.begin(HTTPResponse(status: .ok, headerFields: [.contentLength: "9"]))
            try await body.write(ByteBuffer(string: "half"))
            throw GivenUp()
        } _: { path in
            for target in ["/half", "/none"] {
                await #expect(throws: HTTPClient.Ended.self) {
                    try await HTTPClient.send("GET", target, to: path)
                }
            }
        }
    }

    @Test("waits in the kernel while as many are open as may be")
    func limited() async throws {
        try await EchoServer.run(most: 2, EchoServer.echo) { path in
            var clients = try (1...4).map { _ in try HTTPClient(path: path) }
            for client in clients { try await client.connection.send(HTTPClient.request("GET", "/")) }
            while !clients.isEmpty {
                // Those behind it are answered once it has gone.
                var first = clients.removeFirst()
                let response = try await first.response()
                #expect(response.status == 200)
            }
        }
    }
}
