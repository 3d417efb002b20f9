import CZlib

/// Undoes one coding of a body, gzip or deflate (RFC 9110 §8.4.1), and knows whether that was whole.
///
/// libcurl would undo it, too, but takes a body that breaks off in the middle for a whole one.
final class Inflater {
    /// A coding.
    enum Coding {
        case gzip, deflate

        /// Recognizes a coding by its name in lower case.
        init?(_ name: String) {
            switch name {
            case "gzip", "x-gzip": self = .gzip
            case "deflate": self = .deflate
            default: return nil
            }
        }
    }

    /// The result of inflating some bytes.
    enum Outcome: Equatable {
        /// They were decoded and accepted.
        case taken
        /// Enough for now, after this many of them.
        case paused(after: Int)
        /// The receiver of the decoded bytes doesn't want more.
        case stopped
        /// They make no sense.
        case damaged
    }

    /// The bytes that may come besides what is in them, whatever that is.
    private static let longestVoid: Int64 = 1 << 20
    /// The most bytes that come for each that is in them: an empty block for each, and more.
    private static let mostForEach: Int64 = 16

    /// The bytes by which a member begins (RFC 1952 §2.3.1).
    private static let (magic, secondMagic, magicLength): (UInt8, UInt8, Int) = (0x1F, 0x8B, 2)

    /// zlib keeps a pointer to the stream, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let coding: Coding
    private var buffer: [UInt8]
    private var isBegun = false
    /// True if a member has ended and no other has begun.
    private var isAtEnd = false
    /// True if no other can begin any more, since something else has followed.
    private var isOver = false
    /// The number of bytes of the present member so far, if it isn't the first.
    private var further: Int?
    private var received: Int64 = 0
    private var produced: Int64 = 0

    /// Creates an inflater that hands out pieces of at most `pieceSize` bytes.
    init(_ coding: Coding, pieceSize: Int = 16 << 10) {
        self.coding = coding
        buffer = [UInt8](repeating: 0, count: pieceSize)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isBegun { inflateEnd(stream) }
        stream.deallocate()
    }

    /// True if the bytes so far are a whole body; no bytes are one as well.
    ///
    /// zlib has compared the sum at the end of gzip and of zlib's own wrapping, and gzip's length.
    var isWhole: Bool { isAtEnd || !isBegun || further.map { $0 < Self.magicLength } ?? false }

    /// True if any bytes have come.
    var hasBegun: Bool { isBegun }

    /// True if any bytes have come out.
    var hasProduced: Bool { produced > 0 }

    /// Hands what bytes hold to `emit`, in pieces, until it returns false, or `goesOn` does.
    ///
    /// After a pause, the bytes behind those that are done with have to come again, even if there are none.
    func inflate(
        _ bytes: UnsafeRawBufferPointer,
        while goesOn: () -> Bool = { true },
        _ emit: (UnsafeRawBufferPointer) -> Bool
    ) -> Outcome {
        var rest = bytes
        while !rest.isEmpty || hasMore {
            guard goesOn() else { return .paused(after: bytes.count - rest.count) }
            guard isWorthIt else { return .damaged }
            if isAtEnd {
                guard let first = rest.first else { return .taken }
                // What follows zlib's wrapping is no part of it (RFC 1950 §2.3). Behind gzip's there may be other
                // members (RFC 1952 §2.2), and padding; anything else is ignored, as gzip(1) and browsers do.
                guard coding == .gzip, !isOver, first == 0 || first == Self.magic else {
                    isOver = true
                    received += Int64(rest.count)
                    break
                }
                if first == 0 {
                    let padding = rest.prefix { $0 == 0 }.count
                    received += Int64(padding)
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(padding))
                    continue
                }
                guard CZlib_begin_member(stream) == Z_OK else { return .damaged }
                (isAtEnd, further) = (false, 0)
            }
            if let count = further, count == 1, let next = rest.first, next != Self.secondMagic {
                (isAtEnd, isOver, further) = (true, true, nil)
                continue
            }
            if !isBegun {
                guard let first = rest.first, begin(first) else { return .damaged }
                isBegun = true
            }
            // Whether it is a member is known by two bytes, which may come one by one.
            let (result, consumed, count) = step(further == 0 ? .init(rebasing: rest.prefix(1)) : rest)
            further? += consumed
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return .damaged }
            isAtEnd = result == Z_STREAM_END
            guard isAtEnd || consumed + count > 0 || rest.isEmpty else { return .damaged }
            received += Int64(consumed)
            produced += Int64(count)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(consumed))
            guard count == 0 || buffer.withUnsafeBytes({ emit(.init(rebasing: $0.prefix(count))) })
            else { return .stopped }
        }
        return isWorthIt ? .taken : .damaged
    }

    /// True if zlib may have more than went into the buffer.
    private var hasMore: Bool { isBegun && !isAtEnd && stream.pointee.avail_out == 0 }

    /// True if the bytes bring enough output; a body could go on without end and bring nothing, which no
    /// limit on what is stored would notice.
    private var isWorthIt: Bool { (received - Self.longestVoid) / Self.mostForEach <= produced }

    /// Begins with a body's first byte.
    ///
    /// Many servers send deflate without the wrapping that it should have
    /// (RFC 9110 §8.4.1.2), which begins with a byte whose lower half is 8 (RFC 1950 §2.2).
    private func begin(_ first: UInt8) -> Bool {
        switch coding {
        case .gzip: CZlib_begin_gunzip(stream) == Z_OK
        case .deflate: (first & 15 == 8 ? CZlib_begin_zlib(stream) : CZlib_begin_inflate(stream)) == Z_OK
        }
    }

    private func step(_ bytes: UnsafeRawBufferPointer) -> (result: Int32, consumed: Int, produced: Int) {
        let input = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?
            .assumingMemoryBound(to: UInt8.self)
        return buffer.withUnsafeMutableBufferPointer { place in
            stream.pointee.next_in = input
            stream.pointee.avail_in = UInt32(clamping: bytes.count)
            stream.pointee.next_out = place.baseAddress
            stream.pointee.avail_out = UInt32(clamping: place.count)
            let offered = Int(stream.pointee.avail_in)
            let result = CZlib.inflate(stream, Z_NO_FLUSH)
            return (
                result, offered - Int(stream.pointee.avail_in), place.count - Int(stream.pointee.avail_out)
            )
        }
    }
}
