import Glibc
import HTTPServer
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix

/// A connection to the control socket, for one request.
struct DaemonConnection: Sendable {
    private let channel: NIOAsyncChannel<HTTPResponsePart, HTTPRequestPart>

    /// Connects; throws where nobody answers.
    ///
    /// Where so many are connecting that the socket has no room for another (EAGAIN, unix(7)), it waits a second.
    init(socket: String, isThinned: Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(1)
        while true {
            do {
                channel = try await Self.connect(socket, isThinned)
                return
            } catch let error as IOError where error.errnoCode == EAGAIN && .now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    private static func connect(
        _ socket: String,
        _ isThinned: Bool
    ) async throws -> NIOAsyncChannel<HTTPResponsePart, HTTPRequestPart> {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(5))
            .connect(unixDomainSocketPath: socket) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(HTTP1ToHTTPClientCodec())
                    if isThinned { try pipeline.addHandler(EventThinningHandler()) }
                    return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Ends it at once.
    func close() { channel.channel.close(promise: nil) }

    /// The error thrown when the body of a request could not be read.
    struct BrokenBody: Error {
        let cause: any Error
    }

    /// Sends a request with its body as it comes, and hands over what is answered, as it comes.
    ///
    /// Neither is held: whoever is slower sets the pace.
    ///
    /// - Throws: ``BrokenBody``, or what the connection or `answer` throws.
    func exchange(
        _ head: HTTPRequest,
        body: RequestBody?,
        _ answer: (HTTPResponse, AnswerBody) async throws -> Void
    ) async throws {
        try await channel.executeThenClose { inbound, outbound in
            var isWhole = false
            do {
                try await outbound.write(.head(head))
                while let piece = try await Self.next(of: body) { try await outbound.write(.body(piece)) }
                isWhole = true
                try await outbound.write(.end(nil))
            } catch let error as ChannelError where error == .ioOnClosedChannel {
                // A daemon that has heard enough says so, and closes: its answer is there to be read.
            }
            var parts = inbound.makeAsyncIterator()
            guard case .head(let head)? = try await parts.next() else { throw Refusal.daemonBroke }
            try await answer(head, AnswerBody(answersWhole: isWhole, parts: parts))
        }
    }

    private static func next(of body: RequestBody?) async throws(BrokenBody) -> ByteBuffer? {
        do {
            return try await body?.next()
        } catch {
            throw BrokenBody(cause: error)
        }
    }

    /// The body of an answer.
    struct AnswerBody {
        /// True if the daemon has answered after all of the request's body, and not in the middle of that.
        let answersWhole: Bool
        fileprivate var parts: NIOAsyncChannelInboundStream<HTTPResponsePart>.AsyncIterator

        /// The next piece; nil at the end.
        ///
        /// - Throws: ``Refusal/daemonBroke`` where the connection ends before the answer does.
        mutating func next() async throws -> ByteBuffer? {
            switch try await parts.next() {
            case .body(let piece): return piece
            case .end: return nil
            case .head, nil: throw Refusal.daemonBroke
            }
        }
    }
}
