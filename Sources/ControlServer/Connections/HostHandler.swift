import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Ends a connection whose request names no host, or more than one (RFC 9112 §3.2).
///
/// It looks at requests as they were parsed: the version, without which nothing can be said of a
/// missing Host, is lost where ``RequestHandler`` sees them.
final class HostHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Why no further request of the connection is looked at.
    struct NoSingleHost: Error {}

    private var isRefused = false

    /// Puts one into a connection's pipeline, where its requests come out of the parser.
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
    /// Whether there are as many Hosts as there have to be: one, before HTTP/1.1 also none.
    fileprivate var namesItsHost: Bool {
        let count = headers["Host"].count
        return count == 1 || (count == 0 && version == .http1_0)
    }
}
