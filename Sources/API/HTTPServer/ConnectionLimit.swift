import NIOCore

/// Limits how many accepted connections of a listening socket are open; further ones wait in the kernel.
///
/// There may be a few more, since SwiftNIO accepts several each time that it looks (`maxMessagesPerRead`).
public final class ConnectionLimit: ChannelDuplexHandler {
    public typealias InboundIn = any Channel
    public typealias InboundOut = any Channel
    public typealias OutboundIn = Never

    private let most: Int
    private var open = 0
    private var isWaiting = false

    /// Creates a limit for one listening socket.
    public init(_ most: Int) { self.most = most }

    /// Counts an accepted connection until it is closed.
    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        open += 1
        let own = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
            own.value.handler.closed(own.value.context)
        }
        context.fireChannelRead(data)
    }

    /// Accepts further connections, now or as soon as there is room.
    public func read(context: ChannelHandlerContext) {
        isWaiting = open >= most
        if !isWaiting { context.read() }
    }

    private func closed(_ context: ChannelHandlerContext) {
        open -= 1
        guard isWaiting, open < most else { return }
        isWaiting = false
        context.read()
    }
}
