import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import HTTPServer

/// By a clock that the tests turn.
@Suite("A connection on which nothing comes")
struct IdleConnectionHandlerTests {
    private let channel = EmbeddedChannel()

    init() throws {
        let handler = IdleConnectionHandler(patience: .seconds(60), now: channel.embeddedEventLoop.now)
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "s")).wait()
    }

    private func receive(_ parts: HTTPRequestPart...) throws {
        for part in parts { try channel.writeInbound(part) }
    }

    private func answer() throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    private func isOpen(after seconds: Int64) -> Bool {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
        return channel.isActive
    }

    private static let head = HTTPRequestPart.head(
        HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
    )

    @Test("is closed when it has been idle for its time")
    func silent() {
        #expect(isOpen(after: 59))
        #expect(!isOpen(after: 1))
    }

    @Test("is closed that long after the last part of a request")
    func slow() throws {
        #expect(isOpen(after: 50))
        try receive(Self.head)
        #expect(isOpen(after: 59))
        try receive(.body(ByteBuffer(string: "x")))
        #expect(isOpen(after: 59))
        #expect(!isOpen(after: 1))
    }

    @Test("is left alone while a request is being answered, and closed that long after it")
    func busy() throws {
        try receive(Self.head, .end(nil))
        #expect(isOpen(after: 10_000))
        try answer()
        #expect(isOpen(after: 59))
        #expect(!isOpen(after: 1))
    }

    @Test("is left alone while one request is being answered and half of the next has come")
    func behindAnother() throws {
        try receive(Self.head, .end(nil), Self.head)
        #expect(isOpen(after: 10_000))
        try answer()
        #expect(isOpen(after: 59))
        #expect(!isOpen(after: 1))
    }

    @Test("is closed when no further request is wanted: at once, or after the answer")
    func quiesces() throws {
        try receive(Self.head, .end(nil))
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(isOpen(after: 10_000))
        try answer()
        #expect(!isOpen(after: 0))
        let other = try IdleConnectionHandlerTests()
        other.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(!other.isOpen(after: 0))
    }
}
