import CZlib

/// Undoes the content codings gzip and deflate (RFC 9110 §8.4.1), and knows whether a body was whole.
///
/// libcurl would undo them, too, but takes a body that breaks off in the middle for a whole one.
final class Inflater {
    /// A content coding.
    enum Coding {
        case gzip, deflate
    }

    /// What came of some bytes.
    enum Outcome {
        /// They were undone and taken.
        case taken
        /// Whoever takes what they hold doesn't want more.
        case stopped
        /// They make no sense.
        case damaged
    }

    /// zlib keeps a pointer to the stream, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let coding: Coding
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var isBegun = false
    /// Whether a member has ended and no other has begun.
    private var isAtEnd = false

    init(_ coding: Coding) {
        self.coding = coding
        stream.initialize(to: z_stream())
    }

    deinit {
        if isBegun { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Whether the bytes so far are a whole body; none are one, too.
    var isWhole: Bool { isAtEnd || !isBegun }

    /// Hands what bytes hold to `take`, in pieces, until it returns false.
    func inflate(_ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Bool) -> Outcome {
        var rest = bytes
        while let first = rest.first {
            if isAtEnd {
                // What follows deflate, and zeros after the last member of gzip, mean nothing.
                guard coding == .gzip, first != 0 else { return .taken }
                guard CZlib_begin_member(stream) == Z_OK else { return .damaged }
                isAtEnd = false
            }
            if !isBegun {
                guard begin(first) else { return .damaged }
                isBegun = true
            }
            let (result, count, produced) = step(rest)
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return .damaged }
            isAtEnd = result == Z_STREAM_END
            guard isAtEnd || count + produced > 0 else { return .damaged }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            guard produced == 0 || buffer.withUnsafeBytes({ take(.init(rebasing: $0.prefix(produced))) })
            else { return .stopped }
        }
        // What didn't fit into the buffer.
        while !isAtEnd, isBegun, stream.pointee.avail_out == 0 {
            let (result, _, produced) = step(.init(start: nil, count: 0))
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return .damaged }
            isAtEnd = result == Z_STREAM_END
            guard produced > 0 else { break }
            guard buffer.withUnsafeBytes({ take(.init(rebasing: $0.prefix(produced))) }) else {
                return .stopped
            }
        }
        return .taken
    }

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
