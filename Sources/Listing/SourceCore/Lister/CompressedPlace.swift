import FoundationEssentials

/// A place in a gzip file from which it can be decompressed without what comes before: the boundary of two
/// blocks of deflate (RFC 1951 §3.2.3), with the bytes that what follows may refer to.
///
/// Without it, a list that is read in pieces would be decompressed from its start for each of them.
public struct CompressedPlace: Codable, Hashable, Sendable {
    /// The number of compressed bytes that have been read, the last of them perhaps in part.
    public var input: Int
    /// The number of bits of the last byte that are still to be read.
    public var bits: Int
    /// The number of decompressed bytes before this place, in the whole file.
    public var output: Int
    /// The number of decompressed bytes before this place in the member of the file, as its trailer counts
    /// them (RFC 1952 §2.3.1).
    public var length: UInt32
    /// The CRC-32 of those.
    public var checksum: UInt32
    /// The last decompressed bytes.
    public var window: Data

    /// The distance that deflate may refer back to in bytes (RFC 1951 §2).
    public static let longestWindow = 32 << 10

    public init(input: Int, bits: Int, output: Int, length: UInt32, checksum: UInt32, window: Data) {
        self.input = input
        self.bits = bits
        self.output = output
        self.length = length
        self.checksum = checksum
        self.window = window
    }

    /// The offset of the first byte to read, of which ``bits`` may be a part.
    public var start: Int { bits > 0 ? input - 1 : input }

    /// Returns whether there can be such a place at or before a decompressed byte.
    public func isPossible(before offset: Int) -> Bool {
        (0...7).contains(bits) && input > 0 && output >= 0 && output <= offset
            && window.count <= min(Self.longestWindow, output)
    }
}
