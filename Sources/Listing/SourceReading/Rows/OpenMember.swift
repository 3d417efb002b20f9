import CZlib

/// A member of a gzip file that was begun in the middle, of which the end is compared with its trailer.
struct OpenMember {
    var length: UInt32
    var checksum: UInt32
    var isAtTrailer = false
    private var trailer: [UInt8] = []

    init(length: UInt32, checksum: UInt32) {
        self.length = length
        self.checksum = checksum
    }

    mutating func add(_ bytes: [UInt8]) {
        length &+= UInt32(truncatingIfNeeded: bytes.count)
        checksum = UInt32(truncatingIfNeeded: crc32(UInt(checksum), bytes, UInt32(bytes.count)))
    }

    /// Consumes bytes of the trailer; returns how many.
    mutating func takeTrailer(_ bytes: [UInt8]) -> Int {
        let part = bytes.prefix(8 - trailer.count)
        trailer += part
        return part.count
    }

    /// True if the trailer is that of what was decompressed (RFC 1952 §2.3.1); nil while some of it is
    /// missing.
    var isRight: Bool? {
        guard trailer.count == 8 else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
            bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        return number(trailer[..<4]) == checksum && number(trailer[4...]) == length
    }
}
