import NIOCore
import NIOHTTP1

/// Decodes requests, and holds few bytes whatever comes.
///
/// SwiftNIO's decoder keeps what it hasn't come to the end of, such as a field with the blanks around it, and counts only what
/// it takes for a name or a value. Behind a request for another protocol, it keeps everything, for somebody who
/// speaks that. Here all bytes of a head or a trailer are counted before it sees them. Nobody speaks another
/// protocol, so a wish for one is ignored (RFC 9110 §7.8), and what follows is the next request.
final class RequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    /// The most bytes of a head or a trailer, blanks and line ends included.
    static let mostBytes = 64 << 10

    /// The number of bytes that are kept, since what they belong to isn't complete.
    private(set) var held = 0
    private let limits: NIOHTTPDecoderLimitConfiguration
    private let most: Int
    private let parts: DecodedParts
    private var decoder: HTTPRequestDecoder
    /// The number of bytes that have come since the last part of a request was complete.
    private var counted = 0

    /// Creates a decoder for one connection.
    ///
    /// - Parameter parts: The next handler in the channel's pipeline.
    init(_ limits: NIOHTTPDecoderLimitConfiguration, most: Int = mostBytes, parts: DecodedParts) {
        self.limits = limits
        self.most = most
        self.parts = parts
        decoder = HTTPRequestDecoder(limitConfiguration: limits)
    }

    func decoderAdded(context: ChannelHandlerContext) { decoder.decoderAdded(context: context) }

    func decoderRemoved(context: ChannelHandlerContext) { decoder.decoderRemoved(context: context) }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        while buffer.readableBytes > held {
            let new = min(buffer.readableBytes - held, most - counted)
            guard new > 0, var seen = buffer.getSlice(at: buffer.readerIndex, length: held + new) else {
                throw HTTPParserError.headerOverflow
            }
            _ = try decoder.decode(context: context, buffer: &seen)
            buffer.moveReaderIndex(forwardBy: held + new - seen.readableBytes)
            held = seen.readableBytes
            switch parts.takeProgress() {
            case .none: counted += new
            case .some: counted = held
            case .endOfUpgrade: beginAnew(context)
            }
        }
        return .needMoreData
    }

    func decodeLast(
        context: ChannelHandlerContext,
        buffer: inout ByteBuffer,
        seenEOF: Bool
    ) throws -> DecodingState {
        _ = try decode(context: context, buffer: &buffer)
        return try decoder.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
    }

    /// Puts a new decoder in the place of one that has stopped.
    private func beginAnew(_ context: ChannelHandlerContext) {
        decoder.decoderRemoved(context: context)
        decoder = HTTPRequestDecoder(limitConfiguration: limits)
        decoder.decoderAdded(context: context)
        (held, counted) = (0, 0)
    }
}

/// Sees how far a ``RequestDecoder`` has come.
final class DecodedParts: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// What has been decoded of requests.
    enum Progress {
        case none
        case some
        /// The whole of a request after which SwiftNIO's decoder stops.
        case endOfUpgrade
    }

    private var progress = Progress.none
    private var isUpgrade = false

    /// Returns what has been decoded since the last call.
    func takeProgress() -> Progress {
        defer { progress = .none }
        return progress
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        progress = .some
        switch unwrapInboundIn(data) {
        case .head(let head): isUpgrade = head.stopsDecoder
        case .body: break
        case .end: if isUpgrade { progress = .endOfUpgrade }
        }
        context.fireChannelRead(data)
    }
}

extension HTTPRequestHead {
    /// True if llhttp, which SwiftNIO's decoder uses, takes the request for one for another protocol
    /// (`llhttp__before_headers_complete`).
    fileprivate var stopsDecoder: Bool {
        if method == .CONNECT { return true }
        guard headers["Upgrade"].contains(where: { !$0.isEmpty }) else { return false }
        return headers["Connection"].contains { field in
            field.utf8.split(separator: UInt8(ascii: ",")).contains { word in
                let word = word.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                // With a tab behind it, it is another word to llhttp.
                let end = word.lastIndex { $0 != UInt8(ascii: " ") }
                return end.map { word[...$0].elementsEqual("upgrade".utf8) { $0 | 0x20 == $1 } } ?? false
            }
        }
    }
}
