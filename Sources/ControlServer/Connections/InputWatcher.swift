import NIOCore

/// Notices that a client has gone, or has nothing more to say.
///
/// A follower of events never says anything after its request, so its going
/// would otherwise show with the next write only.
final class InputWatcher: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let gone: StopSignal

    /// A watcher that raises a signal.
    init(gone: StopSignal) { self.gone = gone }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { gone.raise() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        gone.raise()
        context.fireChannelInactive()
    }
}
