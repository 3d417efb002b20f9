@testable import CurlTransfer

/// A compressed body, as it comes in pieces: its first byte says how it is coded, the second how long pieces are.
///
/// In whichever pieces it comes, and however often its decoding pauses, the same comes of it.
enum CodedBodyTrial {
    /// The most bytes that are wanted of a body.
    private static let most = 1 << 18

    private struct Reading: Equatable {
        var outcome = Inflater.Outcome.taken
        var isWhole = false
        var bytes: [UInt8] = []

        /// Returns whether two readings came to the same; how much is had of a damaged body may differ.
        func isLike(_ other: Reading) -> Bool {
            outcome == .taken ? self == other : !isWhole && !other.isWhole && other.outcome != .taken
        }
    }

    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard bytes.count >= 2 else { return nil }
        let codings = [["gzip"], ["deflate"], ["gzip", "deflate"], ["deflate", "gzip"]][Int(bytes[0] % 4)]
        let body = Array(bytes[2...])
        guard let whole = try decode(body, codings, piece: body.count, pause: .max),
            let pieces = try decode(body, codings, piece: Int(bytes[1] % 64) + 1, pause: .max),
            let pauses = try decode(body, codings, piece: body.count, pause: 1000)
        else { throw BrokenPromise(description: "\(codings) can't be undone") }
        try promise(whole.isLike(pieces), "in pieces something else comes of it")
        try promise(whole.isLike(pauses), "with pauses something else comes of it")
        try promise(!body.isEmpty || whole.isWhole && whole.bytes.isEmpty, "nothing is something")
        guard whole.isWhole, whole.outcome == .taken else { return nil }
        if !body.isEmpty, codings == ["gzip"] {
            // Without its last byte it is none, unless that is behind the end, and so no part of it.
            let cut = try decode(Array(body.dropLast()), codings, piece: body.count, pause: .max)
            try promise(cut?.isWhole != true || cut?.bytes == whole.bytes, "it is whole without its end")
        }
        return String(decoding: whole.bytes, as: UTF8.self)
    }

    private static func decode(
        _ body: [UInt8],
        _ codings: [String],
        piece: Int,
        pause: Int
    ) throws(BrokenPromise) -> Reading? {
        guard let decoder = BodyDecoder(codings) else { return nil }
        var reading = Reading()
        var rest = body[...]
        while !rest.isEmpty, reading.outcome == .taken {
            // An array of its own: reading past the piece is reading past the memory.
            let next = Array(rest.prefix(max(piece, 1)))
            rest = rest.dropFirst(next.count)
            var done = 0
            while true {
                var now = 0
                reading.outcome = Array(next[done...]).withUnsafeBytes { bytes in
                    decoder.decode(bytes, while: { now < pause }) { decoded in
                        now += decoded.count
                        reading.bytes += decoded.prefix(most - reading.bytes.count)
                        return reading.bytes.count < most
                    }
                }
                guard case .paused(let count) = reading.outcome else { break }
                try promise(now >= pause && done + count <= next.count, "it pauses for nothing")
                done += count
            }
        }
        reading.isWhole = reading.outcome == .taken && decoder.isWhole
        return reading
    }
}
