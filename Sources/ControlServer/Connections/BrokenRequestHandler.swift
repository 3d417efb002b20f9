import ControlAPI
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Gives the answer to a malformed request a body that says what is wrong.
///
/// Hummingbird answers a parser's error with a bare 400 and closes the connection. This handler replaces
/// that answer with a problem document on its way out. Our own answers pass untouched, since none of
/// them is bare.
final class BrokenRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let maximumHeaderSize: Int
    private let answered: @Sendable (Int) -> Void
    private var problem: ProblemJSON?
    private var body: ByteBuffer?

    /// Creates a handler for one connection.
    ///
    /// - Parameters:
    ///   - maximumHeaderSize: The limit in bytes, to be named in answers.
    ///   - answered: Called with the status of each such answer.
    init(maximumHeaderSize: Int, answered: @escaping @Sendable (Int) -> Void) {
        self.maximumHeaderSize = maximumHeaderSize
        self.answered = answered
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as HTTPParserError: problem = problem(error)
        case is HostHandler.NoSingleHost:
            problem = ProblemJSON(
                .malformedRequest,
                "a request needs exactly one Host; send Host: localhost"
            )
            // Passed on as a parser's error, which Hummingbird answers, because a request without a
            // single Host is as invalid.
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        default: break
        }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let problem else { return context.write(data, promise: promise) }
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.isBareRefusal:
            let reply = Reply.problem(problem)
            body = reply.body
            answered(reply.status.code)
            var head = HTTPResponse(status: reply.status, headerFields: reply.fields)
            head.headerFields[.connection] = "close"
            head.headerFields[.contentLength] = "\(reply.body.readableBytes)"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            if let body { context.write(wrapOutboundOut(.body(body)), promise: nil) }
            body = nil
            context.write(data, promise: promise)
        default:
            context.write(data, promise: promise)
        }
    }

    private func problem(_ error: HTTPParserError) -> ProblemJSON {
        switch error {
        case .headerOverflow:
            ProblemJSON(
                .headerTooLarge,
                "the head of the request is too large: it may have \(maximumHeaderSize) bytes in all, in at most "
                    + "\(HTTPLimits.headerFields) fields"
            )
        case .invalidEOFState, .closedConnection:
            ProblemJSON(.malformedRequest, "the request is incomplete; send all of it")
        default:
            ProblemJSON(.malformedRequest, "this is not an HTTP/1.1 request; send one such as GET /v1/status")
        }
    }
}

/// Limits that don't need a setting.
enum HTTPLimits {
    /// The most header fields that a request may have.
    static let headerFields = 100
}

extension HTTPResponse {
    /// True if this is the answer that Hummingbird makes when its parser gives up.
    fileprivate var isBareRefusal: Bool {
        status == .badRequest && headerFields[.connection] == "close" && headerFields[.contentLength] == "0"
    }
}
