import NIOCore
import NIOHTTPTypes

/// Thins a stream of events out where it comes from the daemon.
final class EventThinningHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPResponsePart
    typealias InboundOut = HTTPResponsePart

    private var thinning = EventThinning()
    private let start = NIODeadline.now()
    private var flush: Scheduled<Void>?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .body(let bytes) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        do throws(EventThinning.Oversize) {
            pass(try thinning.thin(bytes.readableBytesView, now: now), context)
        } catch {
            return context.close(promise: nil)
        }
        guard flush == nil, let due = thinning.due else { return }
        flush = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(due - now)) {
            self.flush = nil
            self.pass(self.thinning.flush(now: self.now), context)
            context.fireChannelReadComplete()
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { flush?.cancel() }

    private var now: Duration { .nanoseconds((NIODeadline.now() - start).nanoseconds) }

    private func pass(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        guard !bytes.isEmpty else { return }
        context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(bytes: bytes))))
    }
}
