import ListerProtocol

/// Reads a page line by line.
struct LineReader {
    /// The longest line or row in bytes.
    static let longestLine = 1 << 20

    private let input: PageInput
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The offset of the next line in bytes.
    private(set) var offset: Int
    /// The number of lines before the next one.
    private(set) var line: Int

    /// Creates a reader at a position in a list.
    init(_ input: PageInput, offset: Int, line: Int) throws(ListerFailure) {
        self.input = input
        self.offset = offset
        self.line = line
        buffer = try input.skip(offset)
        guard offset == 0 else { return }
        while buffer.count < 3, try fill() {}
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) {
            start = 3
            self.offset = 3
        }
    }

    /// Returns the bytes that come next, as many as are asked for if there are so many.
    mutating func ahead(_ most: Int) throws(ListerFailure) -> ArraySlice<UInt8> {
        while buffer.count - start < most, try fill() {}
        return buffer[start...].prefix(most)
    }

    /// Returns the next line with its line ending; nil at the end of the list.
    ///
    /// A line ends with LF, CR or CR LF.
    mutating func next() throws(ListerFailure) -> ArraySlice<UInt8>? {
        var scanned = start
        while true {
            if let end = buffer[scanned...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
                // A following LF may be in the next piece.
                if buffer[end] == 0x0D, end + 1 == buffer.count, !isAtEnd {
                    scanned = end - start
                    _ = try fill()
                    scanned += start
                    continue
                }
                let isBoth = buffer[end] == 0x0D && end + 1 < buffer.count && buffer[end + 1] == 0x0A
                return consume(end + (isBoth ? 2 : 1) - start)
            }
            guard buffer.count - start <= Self.longestLine else {
                throw ListerFailure(
                    "unexpected_shape",
                    "line \(line + 1) is longer than 1 MiB; check the source's kind",
                    excerpt: Excerpt.of(buffer[start...])
                )
            }
            scanned = buffer.count - start
            if try !fill() {
                let left = buffer.count - start
                return left == 0 ? nil : consume(left)
            }
            scanned += start
        }
    }

    private mutating func consume(_ count: Int) -> ArraySlice<UInt8> {
        defer {
            start += count
            offset += count
            line += 1
        }
        return buffer[start..<start + count]
    }

    private mutating func fill() throws(ListerFailure) -> Bool {
        guard !isAtEnd else { return false }
        let piece = try input.next()
        isAtEnd = piece.isEmpty
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += piece
        return !isAtEnd
    }
}

extension ArraySlice<UInt8> {
    /// The line without its line ending.
    var withoutLineEnd: ArraySlice<UInt8> {
        var line = self
        if line.last == 0x0A { line.removeLast() }
        if line.last == 0x0D { line.removeLast() }
        return line
    }
}
