import NIOCore
import NIOHTTP1

/// Has each head decided about in its plain form (``RequestTarget``), and lets a client that sends nonsense hear so.
///
/// It looks at requests as parsed, since of several Host fields, and of a target in absolute form, only a part is
/// left behind it.
final class RequestTargetHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        context.fireChannelRead(wrapInboundOut(.head(RequestTarget.plain(head))))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // It is answered with 400 behind this, and ended.
        if error is HTTPParserError {
            Farewell.begin(context.channel)
            Farewell.limit(context.channel)
        }
        context.fireErrorCaught(error)
    }
}
