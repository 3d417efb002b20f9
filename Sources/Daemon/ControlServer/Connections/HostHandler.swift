import HTTPServer
import NIOCore
import NIOHTTP1

/// Ends a connection whose request names no host, or more than one (RFC 9112 §3.2), and takes the host
/// of a target in absolute form for the one that is asked (§3.2.2).
///
/// It looks at requests as parsed, because the HTTP version, which decides whether a missing Host
/// matters, is lost by the time that ``RequestHandler`` sees them.
final class HostHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// The error that keeps the connection's further requests from being served.
    struct NoSingleHost: Error {}

    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        guard head.namesItsHost else {
            isRefused = true
            context.fireErrorCaught(NoSingleHost())
            return
        }
        if let target = AbsoluteTarget(head.uri) {
            head.headers.replaceOrAdd(name: "Host", value: target.host)
            head.uri = target.path
        } else if head.uri.utf8.first != UInt8(ascii: "/") {
            // Whatever host another reader finds in it, nothing is there.
            head.uri = "*"
        }
        // For HTTP/1.0, too, which is to end where nothing is said.
        if !head.isKeepAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}

extension HTTPRequestHead {
    /// True if the number of Host fields is valid: one, or before HTTP/1.1 also none.
    fileprivate var namesItsHost: Bool {
        let count = headers["Host"].count
        return count == 1 || (count == 0 && version == .http1_0)
    }
}
