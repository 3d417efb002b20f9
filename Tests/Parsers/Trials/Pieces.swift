/// The same bytes in pieces, as a pipe or a connection may give them: of any length, which the first byte says.
struct Pieces {
    /// The length of each but the last.
    let length: Int
    /// The pieces in order.
    let all: [ArraySlice<UInt8>]

    init(of bytes: [UInt8]) { self.init(of: bytes[...], length: Int(bytes.first ?? 0) + 1) }

    init(of bytes: ArraySlice<UInt8>, length: Int) {
        self.length = length
        all = stride(from: bytes.startIndex, to: bytes.endIndex, by: length).map {
            bytes[$0..<min($0 + length, bytes.endIndex)]
        }
    }
}
