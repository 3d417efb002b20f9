import NIOCore

/// Notices that the client has closed its side, so that its event stream ends
/// at once and not only when the next event can't be written.
final class DepartureWatcher: ChannelInboundHandler, Sendable {
    typealias InboundIn = Any

    private let departed: @Sendable () -> Void

    init(departed: @escaping @Sendable () -> Void) { self.departed = departed }

    // A client that went before the watcher came is noticed as well.
    func handlerAdded(context: ChannelHandlerContext) {
        if !context.channel.isActive { departed() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { departed() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        departed()
        context.fireChannelInactive()
    }
}
