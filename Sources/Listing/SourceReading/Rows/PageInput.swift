import Glibc
import SourceCore

/// The bytes of a page, read piece by piece from a descriptor and decompressed if they are gzip.
public final class PageInput {
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    /// Bytes read from the descriptor but not yet decompressed or returned.
    private var waiting: [UInt8] = []
    private var gunzip: Gunzip?
    private var hasBegun = false
    /// True if the page is gzip, as found by the process that feeds it; one that isn't is fed from the
    /// position asked for.
    private let isCompressed: Bool
    /// The place in a compressed page from which it is fed.
    private let begin: CompressedPlace?

    /// Creates an input from a descriptor.
    ///
    /// - Parameter place: The place in a compressed page from which it is fed; nil for its start.
    public init(descriptor: Int32, isCompressed: Bool, from place: CompressedPlace? = nil) {
        self.descriptor = descriptor
        self.isCompressed = isCompressed
        begin = isCompressed ? place : nil
    }

    /// The number of bytes that have been decompressed.
    var decompressed: Int { (gunzip?.output ?? 0) - (begin?.output ?? 0) }

    /// Returns a place in a compressed page from which the byte at an offset can be reached soon; nil where
    /// there is none, or the page isn't compressed.
    func place(before offset: Int) -> CompressedPlace? {
        gunzip?.places.last { $0.isPossible(before: offset) }
    }

    /// The signature of gzip (RFC 1952 §2.3.1).
    public static let compressedStart: [UInt8] = [0x1F, 0x8B]

    /// Skips bytes, which the feeding process can't do in a compressed list.
    func skip(_ count: Int) throws(ListerFailure) -> [UInt8] {
        var left = isCompressed ? count - (begin?.output ?? 0) : 0
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
            if isCompressed { gunzip = try Gunzip(from: begin) }
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
