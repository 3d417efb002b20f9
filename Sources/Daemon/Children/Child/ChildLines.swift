import Vocabulary

/// Makes lines of what a child writes, of which no more than their beginnings are kept.
struct ChildLines {
    /// The longest line that is kept, in bytes.
    static let longest = 500

    /// The most bytes since the last message to the child; an honest one prints a line or two about a broken input.
    static let longestFlood = 1 << 20

    private let longest: Int
    private var line: [UInt8] = []

    /// No line has begun; of each, so many bytes are kept.
    init(longest: Int = Self.longest) { self.longest = longest }

    /// Consumes bytes as they come, and returns each line that they end.
    mutating func append(_ bytes: some Sequence<UInt8>, _ tell: (String) -> Void) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                end(tell)
            } else if line.count <= longest {
                line.append(byte)
            }
        }
    }

    /// Gives what has no end.
    mutating func end(_ tell: (String) -> Void) {
        guard !line.isEmpty else { return }
        tell(String(decoding: line, as: UTF8.self).limited(toBytes: longest))
        line.removeAll(keepingCapacity: true)
    }
}
