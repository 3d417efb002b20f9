import HTTPServer
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TestSupport
import Testing

@Suite("A connection to an HTTP server")
struct HTTPConnectionTests {
    /// Looks at heads, and changes nothing.
    private final class Untouched: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
    }

    private struct GivenUp: Error {}

    /// Has a server answer what a client sends, and hands both to a test.
    private func withServer(
        idleTimeout: Duration = .seconds(60),
        most: Int = 100,
        _ respond: @escaping HTTPConnection.Responder,
        _ test: (String) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("s")
        let configuration = HTTPConnection.Configuration(
            maximumHeaderSize: 1000,
            maximumFieldSize: 500,
            maximumFields: 10,
            idleTimeout: idleTimeout
        ) { error in
            guard error is HTTPParserError else { return nil }
            let fields: HTTPFields = [.connection: "close", .contentLength: "3"]
            return (HTTPResponse(status: .badRequest, headerFields: fields), ByteBuffer(string: "no!"))
        }
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ConnectionLimit(most))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = try HTTPConnection(channel, configuration, head: Untouched())
                    _ = Task { await connection.serve(respond) }
                }
            }
            .bind(unixDomainSocketPath: path).get()
        do {
            try await test(path)
        } catch {
            try? await server.close()
            throw error
        }
        try await server.close()
    }

    /// Answers with the path, the size of the body, and how many pieces it came in.
    private static let echo: HTTPConnection.Responder = { request, body, writer, _ in
        var size = 0
        while let piece = try await body.next() { size += piece.readableBytes }
        try await answer("\(request.path) \(size)", writer)
    }

    private static func answer(_ text: String, _ writer: consuming ResponseWriter) async throws {
        let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "\(text.utf8.count)"])
        try await writer.write(head, body: ByteBuffer(string: text))
    }

    @Test("answers one request after the other, in their order")
    func inOrder() async throws {
        try await withServer(Self.echo) { path in
            var client = try HTTPClient(path: path)
            let requests = (1...20).map {
                HTTPClient.request("POST", "/\($0)", String(repeating: "x", count: $0))
            }
            try await client.connection.send(requests.joined())
            for number in 1...20 {
                let text = try await client.response().text
                #expect(text == "/\(number) \(number)")
            }
        }
    }

    @Test("drops what an answer leaves of a body, and goes on with the next request")
    func dropsRest() async throws {
        try await withServer { request, body, writer, _ in
            if request.path == "/first" { _ = try await body.next() }
            try await Self.answer(request.path, writer)
        } _: { path in
            var client = try HTTPClient(path: path)
            for target in ["/none", "/first", "/next"] {
                let text = try await client.send("POST", target, String(repeating: "x", count: 1 << 20)).text
                #expect(text == target)
            }
        }
    }

    @Test("has a body read on by whoever comes second, and ended only once")
    func readsOn() async throws {
        try await withServer { _, body, writer, _ in
            let first = try await body.next()?.readableBytes ?? 0
            var rest = 0
            while let piece = try await body.next() { rest += piece.readableBytes }
            let isOver = try await body.next() == nil
            try await Self.answer("\(first + rest) \(first < 1 << 20) \(isOver)", writer)
        } _: { path in
            let text = try await HTTPClient.send(
                "POST",
                "/",
                String(repeating: "x", count: 1 << 20),
                to: path
            ).text
            #expect(text == "1048576 true true")
        }
    }

    @Test("tells a client that waits with its body to send it")
    func continues() async throws {
        try await withServer { request, body, writer, channel in
            try await writer.writeContinue()
            try await Self.echo(request, body, writer, channel)
        } _: { path in
            var client = try HTTPClient(path: path)
            let request = HTTPClient.request("POST", "/", "body", fields: ["Expect": "100-continue"])
            try await client.connection.send(String(request.dropLast(4)))
            let interim = try await client.response()
            #expect(interim.status == 100)
            try await client.connection.send("body")
            let text = try await client.response().text
            #expect(text == "/ 4")
        }
    }

    @Test("sends only the head where there is no body, and chunks where its length isn't known")
    func forms() async throws {
        try await withServer { request, _, writer, _ in
            guard request.method != .head else {
                return try await writer.write(
                    HTTPResponse(status: .ok, headerFields: [.contentLength: "5"]),
                    body: nil
                )
            }
            let body = try await writer.begin(HTTPResponse(status: .ok))
            for piece in ["one", "two"] { try await body.write(ByteBuffer(string: piece)) }
            try await body.finish()
        } _: { path in
            var client = try HTTPClient(path: path)
            let head = try await client.send("HEAD", "/")
            #expect(head.fields["content-length"] == "5" && head.body.isEmpty)
            let whole = try await client.send("GET", "/")
            #expect(whole.text == "onetwo")
        }
    }

    @Test("ends after a request that says so")
    func closes() async throws {
        try await withServer(Self.echo) { path in
            var client = try HTTPClient(path: path)
            let last = HTTPClient.request("GET", "/last", fields: ["Connection": "close"])
            try await client.connection.send(last + HTTPClient.request("GET", "/never"))
            let text = try await client.response().text
            #expect(text == "/last 0")
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test(
        "refuses what is no request, after the answers to those before it, and ends",
        arguments: [
            "nonsense\r\n\r\n", "GET / HTTP/1.1\r\nHost: \(String(repeating: "x", count: 600))\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n",
            "GET / HTTP/1.1\r\n" + (1...11).map { "X\($0): y\r\n" }.joined() + "\r\n",
        ]
    )
    func refuses(broken: String) async throws {
        try await withServer(Self.echo) { path in
            var client = try HTTPClient(path: path)
            try await client.connection.send(HTTPClient.request("GET", "/good") + broken)
            let good = try await client.response()
            #expect(good.text == "/good 0")
            let refusal = try await client.response()
            #expect(refusal.status == 400 && refusal.text == "no!")
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("says nothing more about a broken body when its response has begun")
    func noSecondResponse() async throws {
        try await withServer { request, body, writer, _ in
            try await Self.answer(request.path, writer)
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
        try await withServer { _, _, writer, _ in
            try await Self.answer(text, writer)
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
        try await withServer { _, _, writer, channel in
            answered.withLock { $0 = channel }
            try await Self.answer(text, writer)
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
        try await withServer { request, _, writer, _ in
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

    @Test("that says nothing is closed, and so is one that stops in the middle of a request")
    func idle() async throws {
        try await withServer(idleTimeout: .milliseconds(50), Self.echo) { path in
            for beginning in [
                "", "GET / HT", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc",
            ] {
                var client = try HTTPClient(path: path)
                try await client.connection.send(beginning)
                let hasEnded = try await client.hasEnded()
                #expect(hasEnded, "\(beginning)")
            }
        }
    }

    @Test("that is being answered is not idle")
    func busy() async throws {
        try await withServer(idleTimeout: .milliseconds(50)) { request, _, writer, channel in
            // Three times as long as may be idled.
            try await channel.eventLoop.scheduleTask(in: .milliseconds(150)) {}.futureResult.get()
            try await Self.answer(request.path, writer)
        } _: { path in
            let text = try await HTTPClient.send("GET", "/slow", to: path).text
            #expect(text == "/slow")
        }
    }

    @Test("waits in the kernel while as many are open as may be")
    func limited() async throws {
        try await withServer(most: 2, Self.echo) { path in
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
