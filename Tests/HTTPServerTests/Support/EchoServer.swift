import HTTPServer
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import TestSupport

/// A server on a socket of its own, for as long as a test takes.
enum EchoServer {
    /// Looks at heads, and changes nothing.
    private final class Untouched: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
    }

    /// Has a server answer what clients send, and hands the path of its socket to a test.
    static func run(
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
            idleTimeout: .seconds(60)
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

    /// Answers with the path and the size of the body.
    static let echo: HTTPConnection.Responder = { request, body, writer, _ in
        var size = 0
        while let piece = try await body.next() { size += piece.readableBytes }
        try await answer("\(request.path) \(size)", writer)
    }

    static func answer(_ text: String, _ writer: consuming ResponseWriter) async throws {
        let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "\(text.utf8.count)"])
        try await writer.write(head, body: ByteBuffer(string: text))
    }
}
