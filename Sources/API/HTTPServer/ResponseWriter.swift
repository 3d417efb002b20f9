import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Writes the response to one request.
///
/// Each write waits until the connection has room for more.
public struct ResponseWriter: ~Copyable, Sendable {
    private let outbound: NIOAsyncChannelOutboundWriter<HTTPResponsePart>
    private let progress: ResponseProgress

    init(_ outbound: NIOAsyncChannelOutboundWriter<HTTPResponsePart>, _ progress: ResponseProgress) {
        self.outbound = outbound
        self.progress = progress
    }

    /// Tells a client that waits with its body to send it (RFC 9110 §10.1.1).
    public borrowing func writeContinue() async throws {
        try await outbound.write(.head(HTTPResponse(status: .continue)))
    }

    /// Writes a complete response; the body is nil if only the head is wanted, as for a HEAD.
    ///
    /// Such a head needs a Content-Length: without, SwiftNIO writes the end of a chunked body behind it.
    public consuming func write(_ head: HTTPResponse, body: ByteBuffer?) async throws {
        progress.begin()
        var parts: [HTTPResponsePart] = [.head(head)]
        if let body { parts.append(.body(body)) }
        try await outbound.write(contentsOf: parts + [.end(nil)])
        progress.end()
    }

    /// Writes the head of a response whose body follows in pieces.
    public consuming func begin(_ head: HTTPResponse) async throws -> ResponseBodyWriter {
        progress.begin()
        try await outbound.write(.head(head))
        return ResponseBodyWriter(outbound: outbound, progress: progress)
    }
}

/// Writes the body of one response.
public struct ResponseBodyWriter: Sendable {
    fileprivate let outbound: NIOAsyncChannelOutboundWriter<HTTPResponsePart>
    fileprivate let progress: ResponseProgress

    /// Writes a piece.
    public func write(_ piece: ByteBuffer) async throws { try await outbound.write(.body(piece)) }

    /// Ends the response.
    public func finish() async throws {
        try await outbound.write(.end(nil))
        progress.end()
    }
}

/// How far a response has come: once it has begun, no other can take its place.
final class ResponseProgress: Sendable {
    private let begun = Atomic(false)
    private let ended = Atomic(false)

    /// True once the head has been written, or is being written.
    var hasBegun: Bool { begun.load(ordering: .relaxed) }

    /// True once all of it has been written.
    var hasEnded: Bool { ended.load(ordering: .relaxed) }

    func begin() { begun.store(true, ordering: .relaxed) }

    func end() { ended.store(true, ordering: .relaxed) }
}
