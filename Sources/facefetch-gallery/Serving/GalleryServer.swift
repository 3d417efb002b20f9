import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// The listening side of a gallery.
struct GalleryServer: Sendable {
    /// Where it listens.
    let port: Int
    private let channel: any Channel
    private let gateway: GatewayBox

    /// Takes what answers, once that is known: it needs the port.
    private final class GatewayBox: Sendable {
        let promise: EventLoopPromise<Gateway>

        init(_ loop: any EventLoop) { promise = loop.makePromise() }
    }

    /// Listens at an address; port 0 stands for any that is free.
    ///
    /// - Parameter checksUser: Whether only this user's processes may connect.
    init(address: String, port: Int, checksUser: Bool) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let gateway = GatewayBox(group.next())
        self.gateway = gateway
        do {
            channel = try await Self.listen(address, port, checksUser: checksUser, gateway)
        } catch {
            // Whoever waits for what answers waits for nothing.
            gateway.promise.fail(error)
            throw error
        }
        self.port = channel.localAddress?.port ?? port
    }

    private static func listen(
        _ address: String,
        _ port: Int,
        checksUser: Bool,
        _ gateway: GatewayBox
    ) async throws -> any Channel {
        let quiet = Logger(label: "gallery", factory: { _ in SwiftLogNoOpLogHandler() })
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AvailableConnectionsChannelHandler(maxConnections: 256)
                    )
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                let user =
                    checksUser
                    ? LoopbackPeer.user(from: channel.remoteAddress, to: channel.localAddress) : nil
                guard !checksUser || user == geteuid() else {
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ForeignConnection())
                    }
                }
                return gateway.promise.futureResult.hop(to: channel.eventLoop).flatMap { gateway in
                    let current = CurrentExchange()
                    channel.closeFuture.whenComplete { _ in current.browserLeft() }
                    let http = http(gateway, current)
                    return http.setup(channel: channel, logger: quiet).map { connection in
                        _ = Task { await http.handle(value: connection, logger: quiet) }
                    }
                }
            }
            .bind(host: address, port: port).get()
    }

    /// Answers what comes from now on.
    func serve(_ gateway: Gateway) { self.gateway.promise.succeed(gateway) }

    /// Lets nobody in any more.
    func close() { channel.close(promise: nil) }

    private static func http(_ gateway: Gateway, _ current: CurrentExchange) -> HTTP1Channel {
        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderFieldSize = 16 << 10
        decoder.maxHeaderListSize = 32 << 10
        decoder.maxHeaderFieldCount = 100
        return HTTP1Channel(
            responder: { request, writer, _ in
                try await gateway.respond(to: request, writer: writer, current: current)
            },
            configuration: .init(idleTimeout: .seconds(60), httpDecoderConfiguration: decoder)
        )
    }
}
