import NIOCore

/// Waits until a client has taken what it was sent, but for what a socket's buffers hold.
///
/// SwiftNIO calls a channel writable as long as less than its watermark is still to be sent.
final class TakenWatcher: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let taken: EventLoopPromise<Void>

    private init(_ taken: EventLoopPromise<Void>) { self.taken = taken }

    /// Returns once nearly all that was written before has been taken; ends the connection of a
    /// client that isn't done with it after a while, where there is a `patience`.
    ///
    /// - Throws: `ChannelError` where the connection has ended.
    static func wait(for channel: any Channel, patience: Duration? = nil) async throws {
        let loop = channel.eventLoop
        // What was written before has reached the channel when this runs.
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

    // Also when the connection ends.
    func handlerRemoved(context: ChannelHandlerContext) { taken.succeed() }
}
