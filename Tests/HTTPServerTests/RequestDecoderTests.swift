import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServer

@Suite("What a connection holds of a request")
struct RequestDecoderTests {
    private let decoder: RequestDecoder
    private let channel = EmbeddedChannel()

    init() throws {
        let parts = DecodedParts()
        decoder = RequestDecoder(.init(), most: 200, parts: parts)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(parts)
    }

    /// Feeds bytes in pieces of a length, and returns the parts that came of it, in words.
    private func parts(_ text: String, by length: Int) throws -> [String] {
        var rest = ByteBuffer(string: text)
        while let piece = rest.readSlice(length: min(max(rest.readableBytes, 1), length)) {
            try channel.writeInbound(piece)
            #expect(decoder.held <= 200)
        }
        var parts: [String] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head(let head): parts.append("\(head.method) \(head.uri)")
            case .body(let bytes): parts.append(String(buffer: bytes))
            case .end(let trailers): parts.append("end\(trailers.map { " \($0.count)" } ?? "")")
            }
        }
        return parts
    }

    /// A head of so many bytes, most of them blanks.
    private static func head(of count: Int) -> String {
        let (start, end) = ("GET /a HTTP/1.1\r\nHost: localhost\r\nX:", "y\r\n\r\n")
        return start + String(repeating: " ", count: count - start.utf8.count - end.utf8.count) + end
    }

    @Test(
        "is as much as a head may have, which comes through, one after the other",
        arguments: [1, 7, 200, 1000]
    )
    func within(length: Int) throws {
        let head = Self.head(of: 200)
        #expect(head.utf8.count == 200)
        let once = ["GET /a", "end"]
        #expect(try parts(head + head + head, by: length) == once + once + once)
    }

    @Test(
        "is no more, wherever the blanks are",
        arguments: [
            "GET /a HTTP/1.1\r\nX:", "GET /a ", "GET /a HTTP/1.1\r\nX: y", "", "GET ",
            "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX:",
            "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y",
            "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=",
        ],
        [1, 7, 200, 1000]
    )
    func beyond(start: String, length: Int) throws {
        let blanks = String(repeating: start.isEmpty ? "\r\n" : start.hasSuffix("=") ? "x" : " ", count: 500)
        #expect(throws: HTTPParserError.headerOverflow) { try parts(start + blanks, by: length) }
    }

    @Test("is counted anew for each part of a body", arguments: [1, 7, 200, 1000])
    func body(length: Int) throws {
        let sent = String(repeating: "x", count: 1000)
        let head = "POST /a HTTP/1.1\r\nContent-Length: 1000\r\n\r\n"
        let parts = try parts(head + sent + Self.head(of: 200), by: length)
        #expect(parts.first == "POST /a" && parts.suffix(3) == ["end", "GET /a", "end"])
        #expect(parts.dropFirst().dropLast(3).joined() == sent)
    }

    @Test(
        "is nothing behind a request for another protocol: what follows is the next request",
        arguments: [
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk",
            "Connection: keep-alive\r\nConnection:\t , uPGRADE \r\nupgrade: x",
            "Connection: upgrade\t\r\nUpgrade: h2c", "Connection: upgrade\r\nUpgrade:", "Upgrade: h2c",
            "Connection: upgrade",
        ],
        [1, 7, 200, 1000]
    )
    func upgrade(fields: String, length: Int) throws {
        let head = "GET /a HTTP/1.1\r\n\(fields)\r\n\r\n"
        let once = ["GET /a", "end"]
        #expect(try parts(head + head + Self.head(of: 200), by: length) == once + once + once)
        let post = "POST /b HTTP/1.1\r\nContent-Length: 1\r\n\(fields)\r\n\r\nx"
        #expect(try parts(post + head, by: length) == ["POST /b", "x", "end"] + once)
    }

    @Test("is nothing behind a CONNECT", arguments: [1, 1000])
    func connect(length: Int) throws {
        let connect = "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n"
        let found = try parts(connect + connect + Self.head(of: 190), by: length)
        #expect(
            found == ["CONNECT example.org:443", "end", "CONNECT example.org:443", "end", "GET /a", "end"]
        )
    }

    @Test("is nothing at the end of a connection, also behind an upgrade")
    func end() throws {
        let upgrade = "GET /a HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
        #expect(try parts(upgrade, by: 1000) == ["GET /a", "end"])
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        try channel.throwIfErrorCaught()
        let half = try RequestDecoderTests()
        #expect(try half.parts("GET /a HTTP/1.1\r\nX: y", by: 1000) == [])
        half.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(throws: HTTPParserError.invalidEOFState) { try half.channel.throwIfErrorCaught() }
    }
}
