import NIOCore

/// Ends a connection so that its client has the answer before it sees the end.
///
/// A client may still be sending when it has been answered. If the connection were closed then, the kernel would tell
/// it so at once, and throw away what it has not read yet of the answer; if nothing more were read, it would wait
/// to send the rest for ever. So what it still sends is read and dropped, up to a bound of time and of bytes.
///
/// A client may also have closed its half when it had asked. SwiftNIO would then end the connection as soon as the
/// other half is closed, and drop what the socket had no room for: so that is sent before.
final class Farewell: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The time for which a client may go on sending.
    private static let patience = TimeAmount.seconds(5)
    /// The time that a client which has closed its half may take to read what is left.
    private static let patienceOfReader = TimeAmount.seconds(60)
    /// The number of bytes that it may still send: a client that can't stop in the middle of a file sends all
    /// of that.
    private static let mostBytes = 256 << 20

    private let inputEnded: () -> Void
    private var hasInputEnded = false
    private var isEnding = false
    private var left = mostBytes
    private var deadline: Scheduled<Void>?

    /// Creates a handler for one connection; `inputEnded` is called when its client has closed its half.
    init(inputEnded: @escaping () -> Void) { self.inputEnded = inputEnded }

    /// Says no more to a client, lets it come to its end, and returns once the connection is closed.
    ///
    /// What was written before is sent, however long that takes.
    static func end(_ channel: any Channel) async {
        let loop = channel.eventLoop
        try? await loop.flatSubmit {
            begin(channel)
            let closed = loop.makePromise(of: Void.self)
            channel.close(mode: .output, promise: closed)
            closed.futureResult.whenComplete { _ in limit(channel) }
            return channel.closeFuture
        }.get()
    }

    /// Drops what comes from now on; must be called on the channel's event loop.
    static func begin(_ channel: any Channel) {
        let pipeline = channel.pipeline.syncOperations
        guard let own = try? pipeline.handler(type: Farewell.self), !own.isEnding else { return }
        own.isEnding = true
        // Whoever reads behind this may ask for no more.
        (try? pipeline.context(handler: own))?.read()
    }

    /// Closes the connection when the client has had its time; must be called on the channel's event loop.
    static func limit(_ channel: any Channel) {
        guard let own = try? channel.pipeline.syncOperations.handler(type: Farewell.self), own.deadline == nil
        else { return }
        own.deadline = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isEnding else { return context.fireChannelRead(data) }
        left -= unwrapInboundIn(data).readableBytes
        if left < 0 { context.close(promise: nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if isEnding { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            hasInputEnded = true
            inputEnded()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output, hasInputEnded else { return context.close(mode: mode, promise: promise) }
        if deadline == nil {
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: Self.patienceOfReader) {
                channel.close(promise: nil)
            }
        }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        // What is written last is sent last.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            bound.value.close(mode: mode, promise: promise)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }
}
