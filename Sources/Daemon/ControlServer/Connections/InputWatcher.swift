import NIOCore

/// Notices when a client disconnects or closes its sending side.
///
/// A follower of events sends nothing after its request, so its departure would otherwise only show with
/// the next write.
final class InputWatcher: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let gone: StopSignal

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
