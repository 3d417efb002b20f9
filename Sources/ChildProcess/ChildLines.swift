import JobCore

/// Makes lines of what a child writes, of which no more than their beginnings are kept.
public struct ChildLines {
    /// The longest line that is kept, in bytes.
    public static let longest = 500

    private var line: [UInt8] = []

    /// No line has begun.
    public init() {}

    /// Consumes bytes as they come, and returns each line that they end.
    public mutating func append(_ bytes: some Sequence<UInt8>, _ tell: (String) -> Void) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                end(tell)
            } else if line.count <= Self.longest {
                line.append(byte)
            }
        }
    }

    /// Gives what has no end.
    public mutating func end(_ tell: (String) -> Void) {
        guard !line.isEmpty else { return }
        tell(String(decoding: line, as: UTF8.self).limited(toBytes: Self.longest))
        line.removeAll(keepingCapacity: true)
    }
}
