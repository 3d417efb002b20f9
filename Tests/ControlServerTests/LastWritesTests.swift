import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ControlServer

@Suite("What is written to a client that has closed its half")
struct LastWritesTests {
    /// Answers with many bytes at once when the client has closed its half, and closes the other half.
    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        let count: Int

        init(count: Int) { self.count = count }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case .inputClosed? = event as? ChannelEvent else { return }
            context.write(wrapOutboundOut(ByteBuffer(repeating: 7, count: count)), promise: nil)
            context.flush()
            context.close(mode: .output, promise: nil)
        }
    }

    /// Lets a client ask, close its half, and read when the server has closed the other; how much it gets.
    private func received(of count: Int, patience: TimeAmount) async throws -> Int {
        let directory = try TemporaryDirectory()
        let path = directory.path("s")
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        LastWrites(patience: patience),
                        Answering(count: count)
                    )
                }
            }
            .bind(unixDomainSocketPath: path).get()
        let client = try UnixConnection(path: path)
        try await client.send("ask")
        client.finishSending()
        var received = 0
        do {
            while case let bytes = try await client.receive(), !bytes.isEmpty { received += bytes.count }
        } catch {
            // Cut off.
        }
        try await server.close()
        return received
    }

    @Test("arrives, however little of it a socket holds", arguments: [0, 1, 1 << 20, 8 << 20])
    func arrives(count: Int) async throws {
        let received = try await received(of: count, patience: .seconds(60))
        #expect(received == count)
    }
}
