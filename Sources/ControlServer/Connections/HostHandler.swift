import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Closes a connection whose request names no host, or more than one (RFC 9112 §3.2).
///
/// It looks at requests as parsed, because the HTTP version, which decides whether a missing Host
/// matters, is lost by the time that ``RequestHandler`` sees them.
final class HostHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// The error that keeps the connection's further requests from being served.
    struct NoSingleHost: Error {}

    private var isRefused = false

    /// Adds a handler to a connection's pipeline, right after the parser.
    static func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
        try pipeline.addHandler(HostHandler(), position: .before(codec))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        if case .head(let head) = unwrapInboundIn(data), !head.namesItsHost {
            isRefused = true
            context.fireErrorCaught(NoSingleHost())
            return
        }
        context.fireChannelRead(data)
    }
}

extension HTTPRequestHead {
    /// Whether the number of Host fields is valid: one, or before HTTP/1.1 also none.
    fileprivate var namesItsHost: Bool {
        let count = headers["Host"].count
        return count == 1 || (count == 0 && version == .http1_0)
    }
}
