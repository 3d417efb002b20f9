import CZlib
import Glibc
import ListerProtocol

/// The bytes of a page, read piece by piece from a descriptor and decompressed if they are gzip.
public final class PageInput {
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    /// Bytes read from the descriptor but not yet decompressed or returned.
    private var waiting: [UInt8] = []
    private var gunzip: Gunzip?
    private var hasBegun = false
    /// Whether the page is gzip, as found by the process that feeds it; one that isn't is fed from the
    /// position asked for.
    private let isCompressed: Bool

    /// Creates an input from a descriptor.
    public init(descriptor: Int32, isCompressed: Bool) {
        self.descriptor = descriptor
        self.isCompressed = isCompressed
    }

    /// The signature of gzip (RFC 1952 §2.3.1).
    public static let compressedStart: [UInt8] = [0x1F, 0x8B]

    /// Skips bytes, which the feeding process can't do in a compressed list.
    func skip(_ count: Int) throws(ListerFailure) -> [UInt8] {
        var left = isCompressed ? count : 0
        while left > 0 {
            let piece = try next()
            if piece.isEmpty { return [] }
            if piece.count > left { return Array(piece.dropFirst(left)) }
            left -= piece.count
        }
        return []
    }

    /// Returns the next bytes of the page; empty at the end.
    func next() throws(ListerFailure) -> [UInt8] {
        if !hasBegun {
            hasBegun = true
            if isCompressed { gunzip = try Gunzip() }
        }
        guard let gunzip else {
            if waiting.isEmpty { _ = fill() }
            defer { waiting = [] }
            return waiting
        }
        while true {
            if waiting.isEmpty, !fill() {
                guard gunzip.isComplete else {
                    throw ListerFailure("unexpected_shape", "the page is compressed and incomplete")
                }
                return []
            }
            let decoded = try gunzip.decode(&waiting)
            if !decoded.isEmpty { return decoded }
        }
    }

    /// Returns the whole page; throws if it has more than a number of bytes.
    func all(most: Int) throws(ListerFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try next()
            if piece.isEmpty { return bytes }
            bytes += piece
            guard bytes.count <= most else {
                throw ListerFailure(
                    "too_large",
                    "the page has more than \(most) bytes; ask for smaller pages, or raise limits.page_bytes"
                )
            }
        }
    }

    private func fill() -> Bool {
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            waiting += buffer.prefix(count)
            return true
        }
    }
}

/// A decompressor for gzip (RFC 1952), including several members in sequence.
private final class Gunzip {
    /// zlib keeps a pointer to the stream, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var output = [UInt8](repeating: 0, count: 1 << 16)
    /// Whether a member has ended and no other has begun.
    private(set) var isComplete = false

    init() throws(ListerFailure) {
        stream.initialize(to: z_stream())
        guard CZlib_begin_gunzip(stream) == Z_OK else {
            throw ListerFailure("too_large", "there is no memory to decompress the page")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses some of the bytes and removes them from the input.
    func decode(_ input: inout [UInt8]) throws(ListerFailure) -> [UInt8] {
        var result = Z_OK
        var consumed = 0
        var produced = 0
        if isComplete {
            // Zeros after the last member are padding; anything else begins another member.
            if input.allSatisfy({ $0 == 0 }) {
                input = []
                return []
            }
            inflateReset(stream)
            isComplete = false
        }
        input.withUnsafeMutableBufferPointer { bytes in
            output.withUnsafeMutableBufferPointer { place in
                stream.pointee.next_in = bytes.baseAddress
                stream.pointee.avail_in = UInt32(clamping: bytes.count)
                stream.pointee.next_out = place.baseAddress
                stream.pointee.avail_out = UInt32(clamping: place.count)
                result = inflate(stream, Z_NO_FLUSH)
                consumed = bytes.count - Int(stream.pointee.avail_in)
                produced = place.count - Int(stream.pointee.avail_out)
            }
        }
        guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR, consumed + produced > 0
        else {
            throw ListerFailure("unexpected_shape", "the page is compressed and damaged")
        }
        input.removeFirst(consumed)
        if result == Z_STREAM_END { isComplete = true }
        return Array(output.prefix(produced))
    }
}
