import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Has each head decided about in its plain form (``RequestTarget``), and lets a client that sends nonsense hear so.
///
/// It looks at requests as parsed, since of several Host fields, and of a target in absolute form, only a part is
/// left behind it.
final class RequestTargetHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Adds a handler to a connection's pipeline, right after the parser.
    static func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
        try pipeline.addHandler(RequestTargetHandler(), position: .before(codec))
    }

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
