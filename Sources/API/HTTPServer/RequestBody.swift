import NIOCore
import NIOHTTPTypes

/// The body of a request, in pieces as they come.
///
/// It can be read once, by one task at a time. Whoever stops in the middle may go on later.
public final class RequestBody {
    private let parts: RequestParts
    private var isAtEnd = false

    init(_ parts: RequestParts) { self.parts = parts }

    /// Returns the next piece, or nil at the end.
    ///
    /// - Throws: `HTTPParserError` if this is no HTTP, or if the connection has ended before the body.
    public func next() async throws -> ByteBuffer? {
        guard !isAtEnd else { return nil }
        switch try await parts.next() {
        case .body(let piece): return piece
        case .end, nil:
            isAtEnd = true
            return nil
        case .head: throw RequestParts.OutOfOrder()
        }
    }

    /// Reads to the end, so that the next request can be read.
    func discard() async throws { while try await next() != nil {} }
}

/// The parts of a connection's requests, in order.
final class RequestParts {
    /// The error thrown when a part comes where there can't be any such.
    struct OutOfOrder: Error {}

    private var iterator: NIOAsyncChannelInboundStream<HTTPRequestPart>.AsyncIterator

    init(_ stream: NIOAsyncChannelInboundStream<HTTPRequestPart>) { iterator = stream.makeAsyncIterator() }

    /// Returns the next part, or nil if the client has closed its sending side.
    func next() async throws -> HTTPRequestPart? { try await iterator.next() }

    /// Returns the head of the next request, or nil if there is none.
    func nextHead() async throws -> Request? {
        switch try await next() {
        case .head(let head): return Request(head)
        case nil: return nil
        case .body, .end: throw OutOfOrder()
        }
    }
}
