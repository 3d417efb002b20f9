import CZlib
import FoundationEssentials
import SourceCore

/// A decompressor for gzip (RFC 1952), including several members in sequence, that can begin at a place in
/// the middle.
final class Gunzip {
    /// The distance between places in decompressed bytes, and how many are kept: more than what is read
    /// ahead of the row with which a piece of a list ends.
    private static let distance = 1 << 16
    private static let mostPlaces = 4

    /// zlib keeps a pointer to the stream, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    /// True if a member has ended and no other has begun.
    private(set) var isComplete = false
    /// The number of decompressed bytes.
    private(set) var output: Int
    /// The last places from which the file can be decompressed, in their order.
    private(set) var places: [CompressedPlace] = []
    private var input: Int
    /// The trailer of the member that was begun in the middle, which zlib then doesn't check.
    private var member: OpenMember?
    /// The first byte, some bits of which belong to what comes before it.
    private var isAtPartOfByte = false

    /// Creates a decompressor; `place` is where the bytes begin, nil for the start of a file.
    init(from place: CompressedPlace?) throws(ListerFailure) {
        stream.initialize(to: z_stream())
        output = place?.output ?? 0
        input = place?.start ?? 0
        guard let place else {
            try Self.check(CZlib_begin_gunzip(stream))
            return
        }
        try Self.check(CZlib_begin_inflate(stream))
        member = OpenMember(length: place.length, checksum: place.checksum)
        places = [place]
        isAtPartOfByte = place.bits > 0
        if !isAtPartOfByte { try begin(at: place) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    private static func check(_ result: Int32) throws(ListerFailure) {
        guard result == Z_OK else {
            throw ListerFailure("too_much_memory", "there is no memory to decompress the page")
        }
    }

    private static let damage = ListerFailure("unexpected_shape", "the page is compressed and damaged")

    private func begin(at place: CompressedPlace) throws(ListerFailure) {
        let result = place.window.withUnsafeBytes { window in
            inflateSetDictionary(
                stream,
                window.baseAddress?.assumingMemoryBound(to: UInt8.self),
                UInt32(window.count)
            )
        }
        guard place.window.isEmpty || result == Z_OK else { throw Self.damage }
    }

    /// Decompresses some of the bytes and removes them from the input.
    func decode(_ bytes: inout [UInt8]) throws(ListerFailure) -> [UInt8] {
        if isAtPartOfByte, let place = places.first, let first = bytes.first {
            isAtPartOfByte = false
            inflatePrime(stream, Int32(place.bits), Int32(first) >> Int32(8 - place.bits))
            consume(1, of: &bytes)
            try begin(at: place)
            return []
        }
        if isComplete {
            // Zeros after the last member are padding; anything else begins another member.
            if bytes.allSatisfy({ $0 == 0 }) {
                consume(bytes.count, of: &bytes)
                return []
            }
            CZlib_begin_member(stream)
            isComplete = false
        }
        if let ending = member, ending.isAtTrailer {
            consume(try self.trailer(ending, bytes), of: &bytes)
            return []
        }
        let (result, consumed, produced) = inflated(&bytes)
        // Bare deflate may end without another byte.
        let moves = result == Z_STREAM_END || consumed + produced > 0
        guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR, moves else {
            throw Self.damage
        }
        consume(consumed, of: &bytes)
        output += produced
        let decoded = Array(buffer.prefix(produced))
        member?.add(decoded)
        if result == Z_STREAM_END {
            if member == nil { isComplete = true } else { member?.isAtTrailer = true }
        } else {
            notePlace()
        }
        return decoded
    }

    private func inflated(_ bytes: inout [UInt8]) -> (result: Int32, consumed: Int, produced: Int) {
        bytes.withUnsafeMutableBufferPointer { bytes in
            buffer.withUnsafeMutableBufferPointer { place in
                stream.pointee.next_in = bytes.baseAddress
                stream.pointee.avail_in = UInt32(clamping: bytes.count)
                stream.pointee.next_out = place.baseAddress
                stream.pointee.avail_out = UInt32(clamping: place.count)
                // It stops between blocks, too, where places are.
                let result = inflate(stream, Z_BLOCK)
                return (
                    result, bytes.count - Int(stream.pointee.avail_in),
                    place.count - Int(stream.pointee.avail_out)
                )
            }
        }
    }

    private func consume(_ count: Int, of bytes: inout [UInt8]) {
        bytes.removeFirst(count)
        input += count
    }

    /// Reads what is there of the trailer; returns the number of its bytes.
    private func trailer(_ ending: OpenMember, _ bytes: [UInt8]) throws(ListerFailure) -> Int {
        var ending = ending
        let count = ending.takeTrailer(bytes)
        guard let isRight = ending.isRight else {
            member = ending
            return count
        }
        guard isRight else { throw Self.damage }
        member = nil
        isComplete = true
        return count
    }

    /// Notes the present place, if blocks meet there and the last one isn't near.
    ///
    /// zlib says in `data_type` whether it is between blocks (128), the next of which isn't behind the last
    /// one (64), and how many bits it has left of the last byte (zlib.h, `inflate`; examples/zran.c).
    private func notePlace() {
        let type = stream.pointee.data_type
        guard type & 128 != 0, type & 64 == 0, output - (places.last?.output ?? 0) >= Self.distance else {
            return
        }
        var window = [UInt8](repeating: 0, count: CompressedPlace.longestWindow)
        var length: UInt32 = 0
        guard inflateGetDictionary(stream, &window, &length) == Z_OK else { return }
        if places.count == Self.mostPlaces { places.removeFirst() }
        places.append(
            CompressedPlace(
                input: input,
                bits: Int(type & 7),
                output: output,
                length: member?.length ?? UInt32(truncatingIfNeeded: stream.pointee.total_out),
                checksum: member?.checksum ?? UInt32(truncatingIfNeeded: stream.pointee.adler),
                window: Data(window.prefix(Int(length)))
            )
        )
    }
}
