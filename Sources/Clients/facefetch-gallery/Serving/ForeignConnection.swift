import NIOCore

/// Refuses a connection of another user of this machine before it says anything, and closes it.
///
/// It keeps no place among the connections that there may be: else whoever opens many and is silent keeps the
/// owner out.
final class ForeignConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A whole answer, whatever would have been asked.
    private static let answer: [UInt8] = {
        let body = Refusal.otherUser.problem.json
        let head = [
            "HTTP/1.1 403 Forbidden", "Content-Type: application/problem+json", "Cache-Control: no-store",
            "Content-Length: \(body.count)", "Connection: close", "", "",
        ].joined(separator: "\r\n")
        return Array(head.utf8) + body
    }()

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: Self.answer)), promise: nil)
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Nothing of it is looked at.
    }
}
