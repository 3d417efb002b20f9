import NIOCore
import NIOHTTPTypes

/// The requests and responses on a connection, as far as they decide when it is closed.
struct ConnectionActivity {
    /// The decision when a connection's time may be up.
    enum Verdict: Hashable {
        /// A request is being answered, which may take as long as it takes.
        case busy
        /// It has been idle for less than it may be.
        case waits(until: NIODeadline)
        /// It has been idle for too long.
        case overdue
    }

    private let patience: TimeAmount
    private var lastActive: NIODeadline
    private var isReceiving = false
    private var unanswered = 0
    private var endsWhenAnswered = false

    init(patience: TimeAmount, now: NIODeadline) {
        self.patience = patience
        lastActive = now
    }

    /// A part of a request has come.
    mutating func received(_ part: HTTPRequestPart, now: NIODeadline) {
        lastActive = now
        switch part {
        case .head:
            isReceiving = true
            unanswered += 1
        case .body: break
        case .end: isReceiving = false
        }
    }

    /// A response has ended; returns true if the connection is to be closed.
    mutating func answered(now: NIODeadline) -> Bool {
        // What can't be read as a request is answered without having been counted.
        unanswered = max(0, unanswered - 1)
        lastActive = now
        return endsWhenAnswered && unanswered == 0
    }

    /// No further request is wanted; returns true if the connection can be closed at once.
    mutating func quiesce() -> Bool {
        endsWhenAnswered = true
        return unanswered == 0
    }

    /// Decides whether the time is up.
    func verdict(now: NIODeadline) -> Verdict {
        // The one that is still being received may stand still, while those before it are being answered.
        if unanswered > (isReceiving ? 1 : 0) { return .busy }
        let end = lastActive + patience
        return now >= end ? .overdue : .waits(until: end)
    }
}

/// Closes a connection that is idle for too long, or that the server has no more use for.
final class IdleConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var activity: ConnectionActivity
    private var timer: Scheduled<Void>?
    /// Completes when the socket has taken all that was written.
    private var lastWritten: EventLoopFuture<Void>?

    /// Creates a handler for one connection, whose time begins now.
    init(patience: TimeAmount, now: NIODeadline = .now()) {
        activity = ConnectionActivity(patience: patience, now: now)
    }

    func handlerAdded(context: ChannelHandlerContext) { look(context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        activity.received(unwrapInboundIn(data), now: context.eventLoop.now)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise()
        lastWritten = written.futureResult
        if activity.answered(now: context.eventLoop.now) {
            context.writeAndFlush(data, promise: written)
            closeWhenWritten(context)
        } else {
            context.write(data, promise: written)
            if timer == nil { look(context) }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        if activity.quiesce() { closeWhenWritten(context) }
    }

    private func closeWhenWritten(_ context: ChannelHandlerContext) {
        guard let lastWritten else { return context.close(promise: nil) }
        let channel = context.channel
        lastWritten.whenComplete { _ in channel.close(promise: nil) }
    }

    /// Closes the connection if its time is up, or looks again when it may be.
    private func look(_ context: ChannelHandlerContext) {
        timer = nil
        switch activity.verdict(now: context.eventLoop.now) {
        // Its answer's end begins a new time.
        case .busy: break
        case .overdue: context.close(promise: nil)
        case .waits(let end):
            let loop = context.eventLoop.assumeIsolated()
            timer = loop.scheduleTask(deadline: end) { self.look(context) }
        }
    }
}
