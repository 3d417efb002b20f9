import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

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

    /// Adds a handler to a connection's pipeline, right after the parser.
    static func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
        try pipeline.addHandler(HostHandler(), position: .before(codec))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        guard head.namesItsHost else {
            isRefused = true
            context.fireErrorCaught(NoSingleHost())
            return
        }
        guard let host = head.targetHost else { return context.fireChannelRead(data) }
        head.headers.replaceOrAdd(name: "Host", value: host)
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}

extension HTTPRequestHead {
    /// True if the number of Host fields is valid: one, or before HTTP/1.1 also none.
    fileprivate var namesItsHost: Bool {
        let count = headers["Host"].count
        return count == 1 || (count == 0 && version == .http1_0)
    }

    /// The host and port of a target in absolute form, such as `http://example.org/v1/status`.
    fileprivate var targetHost: String? {
        guard uri.utf8.first != UInt8(ascii: "/"), let scheme = uri.firstRange(of: "://") else { return nil }
        return String(uri[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }
}
