import TestSupport
import Testing

@testable import CurlTransfer

@Suite("Undoing a coding")
struct InflaterTests {
    private static let text = Array((0..<4000).map { "line \($0) \($0 * 7919 % 10_007)\n" }.joined().utf8)

    /// Decodes bytes that arrive in pieces: returns the end of that, and what was in them.
    private func decode(
        _ bytes: [UInt8],
        _ codings: [String],
        pieces: Int = 1000
    ) throws -> (Inflater.Outcome, isWhole: Bool, bytes: [UInt8]) {
        let decoder = try #require(BodyDecoder(codings))
        var decoded: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieces)
            rest = rest.dropFirst(piece.count)
            let outcome = piece.withUnsafeBytes {
                decoder.decode($0) {
                    decoded += $0; return true
                }
            }
            guard outcome == .taken else { return (outcome, decoder.isWhole, decoded) }
        }
        return (.taken, decoder.isWhole, decoded)
    }

    @Test("gives the bytes, and is whole at the end and nowhere before", arguments: ["gzip", "zlib", "bare"])
    func everyCut(form: String) throws {
        let text = Array("a picture of a picture of a picture".utf8)
        let packed =
            switch form {
            case "gzip": try Compressed.gzip(text)
            case "zlib": try Compressed.zlib(text)
            default: try Compressed.bare(text)
            }
        let coding = form == "gzip" ? "gzip" : "deflate"
        for pieces in [1, 7, 1000] {
            for count in 1..<packed.count {
                let (outcome, isWhole, _) = try decode(Array(packed.prefix(count)), [coding], pieces: pieces)
                #expect(outcome == .taken && !isWhole, "\(count) of \(packed.count) bytes")
            }
            let (outcome, isWhole, bytes) = try decode(packed, [coding], pieces: pieces)
            #expect(outcome == .taken && isWhole && bytes == text)
        }
    }

    @Test("of gzip takes several members, and ignores zeros and whatever else stands behind the last")
    func members() throws {
        let packed = try Compressed.gzip(Self.text)
        let two = try decode(packed + packed, ["gzip"])
        #expect(two.0 == .taken && two.isWhole && two.bytes == Self.text + Self.text)
        let half = try decode(packed + packed.dropLast(9), ["gzip"])
        #expect(half.0 == .taken && !half.isWhole)
        let begun = try decode(packed + [0x1F, 0x8B], ["gzip"])
        #expect(begun.0 == .taken && !begun.isWhole)
        for other in [
            [0, 0, 0], Array("<p>error".utf8), [0, 0, 7, 7], [0x0A], [0x1F], [0x1F, 0x1F, 0x8B], [0x1F, 0],
            [7] + packed, [0, 0x1F, 0x8C] + packed,
        ] as [[UInt8]] {
            for pieces in [1, 2, 1000] {
                let padded = try decode(packed + other, ["gzip"], pieces: pieces)
                #expect(
                    padded.0 == .taken && padded.isWhole && padded.bytes == Self.text,
                    "\(other.prefix(9))"
                )
            }
        }
        let damaged = try decode(packed + [0, 0, 0x1F, 0x8B, 9, 9, 9], ["gzip"])
        #expect(damaged.0 == .damaged, "another member that makes no sense")
        let cut = try decode(packed.dropLast(1) + Array("<p>error".utf8), ["gzip"])
        #expect(cut.0 == .damaged, "the coding itself has to be whole")
        // RFC 1950 §2.3: what follows is no part of it.
        let followed = try decode(try Compressed.zlib(Self.text) + Array("x".utf8), ["deflate"])
        #expect(followed.0 == .taken && followed.isWhole && followed.bytes == Self.text)
    }

    @Test("compares the sums and the length at the end")
    func sums() throws {
        let packed = try Compressed.gzip(Self.text)
        for index in 1...8 {
            var damaged = packed
            damaged[damaged.count - index] ^= 1
            #expect(try decode(damaged, ["gzip"]).0 == .damaged, "byte \(index) from the end")
        }
        var damaged = try Compressed.zlib(Self.text)
        damaged[damaged.count - 1] ^= 1
        #expect(try decode(damaged, ["deflate"]).0 == .damaged)
    }

    @Test("of two codings undoes both, and is whole only where both are")
    func chain() throws {
        let inner = try Compressed.zlib(Self.text)
        let packed = try Compressed.gzip(inner)
        let both = try decode(packed, ["gzip", "deflate"])
        #expect(both.0 == .taken && both.isWhole && both.bytes == Self.text)
        #expect(try !decode(packed.dropLast(1), ["gzip", "deflate"]).isWhole)
        #expect(try !decode(try Compressed.gzip(inner.dropLast(1)), ["gzip", "deflate"]).isWhole)
        for codings in [["br"], [], ["gzip", "zstd"], ["gzip", "gzip", "gzip"]] {
            #expect(BodyDecoder(codings) == nil, "\(codings)")
        }
    }

    @Test(
        "pauses where that is enough for now, and goes on without a byte lost",
        arguments: [["gzip"], ["gzip", "gzip"]]
    )
    func pause(codings: [String]) throws {
        let text = [UInt8](repeating: 7, count: 20_000_000)
        var packed = try Compressed.gzip(text)
        if codings.count == 2 { packed = try Compressed.gzip(packed) }
        let decoder = try #require(BodyDecoder(codings))
        var (done, total, pauses) = (0, 0, 0)
        while true {
            var now = 0
            let outcome = packed.dropFirst(done).withUnsafeBytes { rest in
                decoder.decode(rest, while: { now < 100_000 }) { piece in
                    now += piece.count
                    return piece.first == 7 && piece.last == 7
                }
            }
            total += now
            guard case .paused(let count) = outcome else {
                #expect(outcome == .taken)
                break
            }
            #expect(now < 5_000_000)
            done += count
            pauses += 1
        }
        #expect(total == text.count && decoder.isWhole && pauses > 1)
    }

    @Test("gives up what goes on and on and brings nothing")
    func void() throws {
        // Blocks that are stored and empty (RFC 1951 §3.2.4), members with nothing in them, and padding.
        let block: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
        let blocks = [UInt8]([[UInt8]](repeating: block, count: 300_000).joined())
        #expect(try decode([0x78, 0x9C] + blocks, ["deflate"]).0 == .damaged)
        let member = try Compressed.gzip([])
        #expect(
            try decode(Array([[UInt8]](repeating: member, count: 60_000).joined()), ["gzip"]).0 == .damaged
        )
        let packed = try Compressed.gzip(Array("x".utf8))
        #expect(try decode(packed + [UInt8](repeating: 0, count: 2 << 20), ["gzip"]).0 == .damaged)
        let followed = try Compressed.zlib(Array("x".utf8)) + [UInt8](repeating: 1, count: 2 << 20)
        #expect(try decode(followed, ["deflate"]).0 == .damaged)
        #expect(try decode(packed + [UInt8](repeating: 1, count: 2 << 20), ["gzip"]).0 == .damaged)
        // Every byte in a block of its own is a lot, and not too much.
        var small: [UInt8] = [0x78, 0x01]
        for _ in 0..<400_000 { small += [0, 1, 0, 0xFE, 0xFF, 7] }
        #expect(try decode(small, ["deflate"]).bytes.count == 400_000)
    }
}
