import NIOCore

/// Has a client that has closed its half of a connection get all that was written to it before the connection ends.
///
/// SwiftNIO ends a connection of which both halves are closed at once, and drops what the socket's buffers have had
/// no room for. A client that reads slowly would never see the end of its answers.
final class LastWrites: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let patience: TimeAmount
    private var hasInputEnded = false
    private var deadline: Scheduled<Void>?

    /// Creates a handler for one connection.
    ///
    /// - Parameter patience: The time that a client may take to read what is left.
    init(patience: TimeAmount) { self.patience = patience }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { hasInputEnded = true }
        context.fireUserInboundEventTriggered(event)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output, hasInputEnded else { return context.close(mode: mode, promise: promise) }
        if deadline == nil {
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        // What is written last is sent last.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            bound.value.close(mode: mode, promise: promise)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }
}
