import Glibc
import HTTPServer
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix

/// The listening side of a gallery.
struct GalleryServer: Sendable {
    /// The port that it listens on.
    let port: Int
    private let channel: any Channel
    private let gateway: GatewayBox

    /// The most connections that are open.
    ///
    /// Those are among them whose user isn't known yet, and those that are being closed. How many are served is
    /// decided by ``ConnectionPlaces``; what comes beyond this number waits in the kernel.
    private static let mostOpen = 512

    /// Sets what answers, once that is known: it needs the port.
    private final class GatewayBox: Sendable {
        let promise: EventLoopPromise<Gateway>

        init(_ loop: any EventLoop) { promise = loop.makePromise() }
    }

    /// Listens at an address; port 0 stands for any that is free.
    ///
    /// - Parameter peers: Knows whose connections are, so that only this user's processes may connect; nil lets
    ///   anybody.
    init(address: String, port: Int, peers: LoopbackPeer?) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let gateway = GatewayBox(group.next())
        self.gateway = gateway
        do {
            channel = try await Self.listen(address, port, peers, gateway)
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
        _ peers: LoopbackPeer?,
        _ gateway: GatewayBox
    ) async throws -> any Channel {
        let connections = OpenConnections()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ConnectionLimit(mostOpen)
                    )
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // Some clients close their sending side after the request, and still want the answer.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                isOwn(channel, peers).flatMap { isOwn in
                    guard isOwn else {
                        return channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(ForeignConnection())
                        }
                    }
                    return gateway.promise.futureResult.hop(to: channel.eventLoop).flatMap { gateway in
                        begin(channel, gateway, connections, peers)
                    }
                }
            }
            .bind(host: address, port: port).get()
        connections.watch(until: listener)
        return listener
    }

    private static func isOwn(_ channel: any Channel, _ peers: LoopbackPeer?) -> EventLoopFuture<Bool> {
        guard let peers else { return channel.eventLoop.makeSucceededFuture(true) }
        return peers.user(from: channel.remoteAddress, to: channel.localAddress, on: channel.eventLoop)
            .map { $0 == geteuid() }
    }

    private static func begin(
        _ channel: any Channel,
        _ gateway: Gateway,
        _ connections: OpenConnections,
        _ peers: LoopbackPeer?
    ) -> EventLoopFuture<Void> {
        let current = CurrentExchange()
        return channel.eventLoop.makeCompletedFuture {
            try connections.add(channel)
            try channel.pipeline.syncOperations.addHandler(
                Farewell {
                    current.inputEnded()
                    endIfGone(channel, peers)
                }
            )
            channel.closeFuture.whenComplete { _ in current.browserLeft() }
            let connection = try HTTPConnection(channel, http, head: RequestTargetHandler())
            _ = Task { await serve(connection, gateway, current, connections) }
        }
    }

    /// Ends a connection whose client has closed its half if nobody holds the client's end any more.
    ///
    /// To a server both look the same, and what a browser has given up, which it does by closing the connection, need
    /// not be made.
    private static func endIfGone(_ channel: any Channel, _ peers: LoopbackPeer?) {
        guard let peers else { return }
        peers.user(from: channel.remoteAddress, to: channel.localAddress, on: channel.eventLoop)
            .whenSuccess { if $0 == nil { channel.close(promise: nil) } }
    }

    /// Answers what comes from now on.
    func serve(_ gateway: Gateway) { self.gateway.promise.succeed(gateway) }

    /// Lets nobody in any more.
    func close() { channel.close(promise: nil) }

    /// A connection has no next request.
    private struct Ended: Error {}

    private static let http = HTTPConnection.Configuration(
        maximumHeaderSize: 32 << 10,
        maximumFieldSize: 16 << 10,
        maximumFields: 100,
        idleTimeout: .seconds(60)
    ) { error in
        guard error is HTTPParserError else { return nil }
        let fields: HTTPFields = [.connection: "close", .contentLength: "0"]
        return (HTTPResponse(status: .badRequest, headerFields: fields), ByteBuffer())
    }

    private static func serve(
        _ connection: HTTPConnection,
        _ gateway: Gateway,
        _ current: CurrentExchange,
        _ connections: OpenConnections
    ) async {
        await connection.serve { request, body, writer, channel in
            connections.begin(channel, isKnown: GalleryAdmission.hasSession(request.head, gateway.rules))
            let rest = try await gateway.respond(to: request, body: body, writer: writer, current: current)
            connections.end(channel)
            guard rest == .unread || request.headers[.connection] == "close" else { return }
            await Farewell.end(channel)
            throw Ended()
        }
    }
}
