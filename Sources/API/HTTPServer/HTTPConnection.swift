import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Serves HTTP/1.1 on connections: reads one request after the other, and has each answered before the next is read.
public struct HTTPConnection: Sendable {
    /// Answers one request.
    ///
    /// What it leaves of the body is read and dropped. If it throws, there is no further request. An error that has a
    /// ``Configuration/refusal`` is answered with that, if no response has begun; any other closes the connection.
    public typealias Responder =
        @Sendable (Request, RequestBody, consuming ResponseWriter, any Channel) async throws -> Void

    /// The most bytes of a request's head, or of the trailer of its body, with all blanks and line ends.
    public static let mostHeadBytes = RequestDecoder.mostBytes

    /// The limits of a connection, and what it says to those who break the rules.
    public struct Configuration: Sendable {
        /// The most bytes in the target and all fields of a request's head together; with what is between them,
        /// ``HTTPConnection/mostHeadBytes``.
        public var maximumHeaderSize: Int
        /// The most bytes in one field.
        public var maximumFieldSize: Int
        /// The most fields that a request may have.
        public var maximumFields: Int
        /// The time after which a connection is closed on which no request comes, or none goes on.
        public var idleTimeout: Duration
        /// The response to a request that can't be read as one, with its body; nil for errors that have none.
        public var refusal: @Sendable (any Error) -> (head: HTTPResponse, body: ByteBuffer)?
        /// Called when such a response has been written.
        public var refused: @Sendable (HTTPResponse) -> Void

        /// Creates a configuration.
        public init(
            maximumHeaderSize: Int,
            maximumFieldSize: Int,
            maximumFields: Int,
            idleTimeout: Duration,
            refused: @escaping @Sendable (HTTPResponse) -> Void = { _ in },
            refusal: @escaping @Sendable (any Error) -> (head: HTTPResponse, body: ByteBuffer)?
        ) {
            self.maximumHeaderSize = maximumHeaderSize
            self.maximumFieldSize = maximumFieldSize
            self.maximumFields = maximumFields
            self.idleTimeout = idleTimeout
            self.refused = refused
            self.refusal = refusal
        }
    }

    private let configuration: Configuration
    private let channel: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// Prepares a channel for HTTP; must be called on its event loop.
    ///
    /// - Parameter head: Sees the heads as parsed, before anything else does.
    public init(
        _ channel: any Channel,
        _ configuration: Configuration,
        head: some ChannelInboundHandler & RemovableChannelHandler
    ) throws {
        self.configuration = configuration
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = configuration.maximumFieldSize
        limits.maxHeaderListSize = configuration.maximumHeaderSize
        limits.maxHeaderFieldCount = configuration.maximumFields
        let pipeline = channel.pipeline.syncOperations
        // Requests are read one after the other by serve(), and HTTPFields has no invalid ones.
        try pipeline.addHandler(HTTPResponseEncoder())
        let parts = DecodedParts()
        try pipeline.addHandler(ByteToMessageHandler(RequestDecoder(limits, parts: parts)))
        try pipeline.addHandler(parts)
        try pipeline.addHandler(head)
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(IdleConnectionHandler(patience: TimeAmount(configuration.idleTimeout)))
        self.channel = try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
    }

    /// Serves the connection until it is closed.
    ///
    /// After a request with `Connection: close`, in lower case, there is no other.
    public func serve(_ respond: Responder) async {
        // What fails is the connection, and nobody is left there to be told.
        try? await channel.executeThenClose { inbound, outbound in
            try await serve(RequestParts(inbound), outbound, respond)
            // Its client closes it, or is idle for too long.
            outbound.finish()
            try await channel.channel.closeFuture.get()
        }
    }

    private func serve(
        _ parts: RequestParts,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPResponsePart>,
        _ respond: Responder
    ) async throws {
        var progress = ResponseProgress()
        do {
            while let request = try await parts.nextHead() {
                let body = RequestBody(parts)
                try await respond(request, body, ResponseWriter(outbound, progress), channel.channel)
                if request.headers[.connection] == "close" { return }
                try await body.discard()
                progress = ResponseProgress()
            }
        } catch {
            guard let refusal = configuration.refusal(error) else { throw error }
            // A response that was given before is still to be read by its client.
            if progress.hasEnded { return }
            guard !progress.hasBegun else { throw error }
            try await ResponseWriter(outbound, progress).write(refusal.head, body: refusal.body)
            configuration.refused(refusal.head)
        }
    }
}
