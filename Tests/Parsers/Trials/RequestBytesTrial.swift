import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import HTTPServer

/// The bytes of requests on one connection, in pieces whose length the first byte says.
///
/// Few of them are held, and what comes of them is what SwiftNIO's decoder makes of them, which is told of no wish for
/// another protocol.
enum RequestBytesTrial {
    /// The most bytes of a head, so that short inputs reach it.
    private static let most = 256

    /// What came of some bytes: the heads of requests and their bodies, each with its end if that came, and an error.
    private struct Reading {
        var parts: [String] = []
        var targets: [String] = []
        var error: HTTPParserError?
        var asksForTunnel = false
        var mostHeld = 0

        mutating func add(_ part: HTTPServerRequestPart) {
            switch part {
            case .head(let head):
                if head.method == .CONNECT { asksForTunnel = true }
                targets.append(head.uri)
                parts.append("\(head.method) \(head.uri) \(head.version) \(Array(head.headers))")
                parts.append("")
            case .body(let bytes):
                // A byte a character, in whichever pieces they come.
                for byte in bytes.readableBytesView {
                    parts[parts.count - 1].unicodeScalars.append(Unicode.Scalar(byte))
                }
            case .end(let trailers): parts[parts.count - 1] += " end \(trailers.map { Array($0) } ?? [])"
            }
        }
    }

    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let sent = Array(bytes.dropFirst())
        let length = Int(bytes.first ?? 0) + 1
        let own = reading(sent, length: length)
        try promise(own.mostHeld <= most, "\(own.mostHeld) bytes are held")
        // Nobody but a proxy would know what follows.
        if own.asksForTunnel { return own.targets.last }
        let other = reading(plain(sent), length: length, isOwn: false)
        if own.error == .headerOverflow, other.error != .headerOverflow {
            try promise(sent.count > most, "a head of \(sent.count) bytes is too large")
            try promise(
                own.parts.dropLast().elementsEqual(other.parts.prefix(max(0, own.parts.count - 1))),
                "what came before it is another request"
            )
        } else if other.error == .closedConnection {
            // It stops at what a client sends behind its last request, and ours only where it hasn't begun anew.
            try promise(own.parts.starts(with: other.parts), "another request came of it")
        } else {
            try promise(
                own.error == other.error,
                "\(own.error.debugDescription) instead of "
                    + other.error.debugDescription
            )
            try promise(own.parts == other.parts, "another request came of it")
        }
        return own.targets.last
    }

    /// The same with another word in the place of each "upgrade".
    private static func plain(_ bytes: [UInt8]) -> [UInt8] {
        let (word, other) = (Array("upgrade".utf8), Array("updated".utf8))
        var bytes = bytes
        var place = 0
        while place + word.count <= bytes.count {
            if bytes[place..<place + word.count].elementsEqual(word, by: { $0 | 0x20 == $1 }) {
                bytes.replaceSubrange(place..<place + word.count, with: other)
            }
            place += 1
        }
        return bytes
    }

    private static func plain(_ text: String) -> String {
        String(decoding: plain(Array(text.utf8)), as: UTF8.self)
    }

    private static func reading(_ bytes: [UInt8], length: Int, isOwn: Bool = true) -> Reading {
        var reading = Reading()
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish() }
        let parts = DecodedParts()
        let decoder = RequestDecoder(.init(), most: most, parts: parts)
        do {
            let pipeline = channel.pipeline.syncOperations
            if isOwn {
                try pipeline.addHandler(ByteToMessageHandler(decoder))
                try pipeline.addHandler(parts)
            } else {
                try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
            }
            for piece in Pieces(of: bytes[...], length: length).all {
                defer { reading.mostHeld = max(reading.mostHeld, decoder.held) }
                try channel.writeInbound(ByteBuffer(bytes: piece))
            }
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            try channel.throwIfErrorCaught()
        } catch { reading.error = error as? HTTPParserError }
        while let part = try? channel.readInbound(as: HTTPServerRequestPart.self) { reading.add(part) }
        reading.parts = reading.parts.map(plain)
        return reading
    }
}
