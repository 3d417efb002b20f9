import HTTPServer
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@Suite("A connection to an HTTP server")
struct HTTPConnectionTests {
    @Test("answers one request after the other, in their order")
    func inOrder() async throws {
        try await EchoServer.run(EchoServer.echo) { path in
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
        try await EchoServer.run { request, body, writer, _ in
            if request.path == "/first" { _ = try await body.next() }
            try await EchoServer.answer(request.path, writer)
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
        try await EchoServer.run { _, body, writer, _ in
            let first = try await body.next()?.readableBytes ?? 0
            var rest = 0
            while let piece = try await body.next() { rest += piece.readableBytes }
            let isOver = try await body.next() == nil
            try await EchoServer.answer("\(first + rest) \(first < 1 << 20) \(isOver)", writer)
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
        try await EchoServer.run { request, body, writer, channel in
            try await writer.writeContinue()
            try await EchoServer.echo(request, body, writer, channel)
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
        try await EchoServer.run { request, _, writer, _ in
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

    @Test(
        "refuses what is no request, after the answers to those before it, and ends",
        arguments: [
            "nonsense\r\n\r\n", "GET / HTTP/1.1\r\nHost: \(String(repeating: "x", count: 600))\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n",
            "GET / HTTP/1.1\r\n" + (1...11).map { "X\($0): y\r\n" }.joined() + "\r\n",
        ]
    )
    func refuses(broken: String) async throws {
        try await EchoServer.run(EchoServer.echo) { path in
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
    @Test(
        "refuses a head or trailer of more than 64 KiB, though most of it is blanks",
        arguments: [
            "GET / HTTP/1.1\r\nHost: localhost\r\nX:", "GET / ",
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX:",
        ]
    )
    func blanks(start: String) async throws {
        try await EchoServer.run(EchoServer.echo) { path in
            var client = try HTTPClient(path: path)
            try await client.connection.send(start + String(repeating: " ", count: 64 << 10))
            let refusal = try await client.response()
            #expect(refusal.status == 400 && refusal.text == "no!")
            let hasEnded = try await client.hasEnded()
            #expect(hasEnded)
        }
    }

    @Test("takes no notice of the wish for another protocol, as of a client that also speaks HTTP/2")
    func upgrade() async throws {
        try await EchoServer.run(EchoServer.echo) { path in
            var client = try HTTPClient(path: path)
            let fields = [
                "Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c",
                "HTTP2-Settings": "AAMAAABkAAQAoAAAAAIAAAAA",
            ]
            let first = HTTPClient.request("POST", "/1", "body", fields: fields)
            try await client.connection.send(first + HTTPClient.request("GET", "/2", fields: fields))
            for text in ["/1 4", "/2 0"] {
                let response = try await client.response()
                #expect(response.status == 200 && response.text == text)
            }
            let next = try await client.send("GET", "/3")
            #expect(next.text == "/3 0")
            try await client.connection.send(
                HTTPClient.request("GET", "/4", fields: fields) + "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
            )
            let last = try await client.response()
            #expect(last.text == "/4 0")
            let refusal = try await client.response()
            #expect(refusal.status == 400)
        }
    }
}
