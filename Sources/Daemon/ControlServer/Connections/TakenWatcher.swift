import NIOCore

/// Waits until a client has taken what it was sent, except for what the socket's buffers hold.
///
/// It relies on SwiftNIO calling a channel writable while less than its watermark remains to be sent.
final class TakenWatcher: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let taken: EventLoopPromise<Void>

    private init(_ taken: EventLoopPromise<Void>) { self.taken = taken }

    /// Waits until nearly everything written before has been taken; if there is a `patience`, closes the
    /// connection of a client that takes longer.
    ///
    /// - Throws: `ChannelError` if the connection has ended.
    static func wait(for channel: any Channel, patience: Duration? = nil) async throws {
        let loop = channel.eventLoop
        // By the time this runs, everything written before has reached the channel.
        try await loop.flatSubmit {
            guard channel.isActive, !channel.isWritable else { return loop.makeSucceededVoidFuture() }
            let taken = loop.makePromise(of: Void.self)
            do {
                try channel.pipeline.syncOperations.addHandler(TakenWatcher(taken), position: .first)
            } catch {
                taken.fail(error)
            }
            if let patience {
                let deadline = loop.scheduleTask(in: TimeAmount(patience)) { channel.close(promise: nil) }
                taken.futureResult.whenComplete { _ in deadline.cancel() }
            }
            return taken.futureResult
        }.get()
        guard channel.isActive else { throw ChannelError.alreadyClosed }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        context.fireChannelWritabilityChanged()
        guard context.channel.isWritable else { return }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    // This is also called when the connection ends.
    func handlerRemoved(context: ChannelHandlerContext) { taken.succeed() }
}
