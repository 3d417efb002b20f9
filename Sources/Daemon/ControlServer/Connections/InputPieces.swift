import NIOCore

/// Passes on what a client has sent no faster than it is asked for.
///
/// SwiftNIO reads a connection to its end at once when the client closes it, or its half of it, and when
/// an answer can't be written, whether anybody asks for more or not. Parsed at once, thousands of requests
/// would take a hundred times the memory of their bytes and keep the thread from all other connections.
/// Here they wait as bytes, of which a socket's buffer holds few, and are dropped where the connection
/// has ended.
final class InputPieces: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// The bytes that wait; nil if there are none.
    private var held: ByteBuffer?
    /// True if something was asked for that hasn't come.
    private var isAsked = false
    /// True if a piece is on its way, after other connections have had their turn.
    private var isScheduled = false
    /// The end of what the client sends: it has closed its half, which comes after all that it has sent.
    private var end: ChannelEvent?

    func read(context: ChannelHandlerContext) {
        guard held != nil else {
            isAsked = true
            return context.read()
        }
        schedulePiece(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if held == nil, isAsked {
            isAsked = false
            context.fireChannelRead(data)
        } else if held?.writeBuffer(&bytes) == nil {
            held = bytes
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if held != nil, case .inputClosed? = event as? ChannelEvent {
            end = .inputClosed
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        (held, end) = (nil, nil)
        context.fireChannelInactive()
    }

    private func schedulePiece(_ context: ChannelHandlerContext) {
        guard !isScheduled else { return }
        isScheduled = true
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        context.eventLoop.execute { bound.value.handler.passOnPiece(bound.value.context) }
    }

    private func passOnPiece(_ context: ChannelHandlerContext) {
        isScheduled = false
        guard var bytes = held.take(),
            let piece = bytes.readSlice(length: min(ReadSize.piece, bytes.readableBytes))
        else { return }
        if bytes.readableBytes > 0 { held = bytes }
        context.fireChannelRead(wrapInboundOut(piece))
        context.fireChannelReadComplete()
        if held == nil, let end {
            self.end = nil
            context.fireUserInboundEventTriggered(end)
        }
        // No more comes by itself where nothing is left to read.
        context.channel.read()
    }
}

/// The number of bytes that are read from a connection at once.
///
/// Everything that has been read is parsed, and kept until it is answered. A client that sends requests
/// without waiting for answers (RFC 9112 §9.3.2) could otherwise have thousands of them parsed at a time,
/// which take a hundred times the memory of their bytes and keep the thread from all other connections.
enum ReadSize {
    /// About twenty of the smallest requests.
    static let piece = 1 << 10
    /// For requests.
    static let requests = FixedSizeRecvByteBufferAllocator(capacity: piece)
    /// For a large body that has been given room in memory.
    static let body = FixedSizeRecvByteBufferAllocator(capacity: 16 << 10)
}
