import SourceCore

/// Reads a page line by line, and brings each into UTF-8.
///
/// In all encodings but UTF-16, the bytes of line endings are nothing else.
struct LineReader {
    /// The longest line or row in bytes.
    static let longestLine = 1 << 20

    private let input: PageInput
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The offset of the next line in bytes of the list as it is.
    private(set) var offset: Int
    /// The number of lines before the next one.
    private(set) var line: Int
    /// The encoding of the list.
    let encoding: TextEncoding

    /// Creates a reader at a position in a list.
    ///
    /// - Parameter known: the encoding as it was found at the list's beginning; nil there.
    init(
        _ input: PageInput,
        offset: Int,
        line: Int,
        _ page: PageEncoding,
        known: String? = nil
    ) throws(ListerFailure) {
        self.input = input
        self.offset = offset
        self.line = line
        buffer = try input.skip(offset)
        guard offset == 0 else {
            encoding = known.flatMap(TextEncoding.init(label:)) ?? page.given ?? .utf8
            return
        }
        while buffer.count < 4 {
            let piece = try input.next()
            if piece.isEmpty { break }
            buffer += piece
        }
        encoding = try page.list(buffer)
        if let mark = EncodingHints.mark(buffer), mark.encoding == encoding {
            start = mark.length
            self.offset = mark.length
        }
    }

    /// Returns what comes next, of as many bytes as are asked for if there are so many.
    mutating func ahead(_ most: Int) throws(ListerFailure) -> ArraySlice<UInt8> {
        while buffer.count - start < most, try fill() {}
        return try decoded(buffer[start...].prefix(most))
    }

    /// Returns the next line with its line ending; nil at the end of the list.
    ///
    /// A line ends with LF, CR or CR LF.
    mutating func next() throws(ListerFailure) -> ArraySlice<UInt8>? {
        let unit = encoding == .utf16le || encoding == .utf16be ? 2 : 1
        var scanned = start
        while true {
            if let end = lineEnd(from: scanned, unit) {
                // A following LF may be in the next piece.
                let isReturn = character(end, unit) == 0x0D
                if isReturn, end + 2 * unit > buffer.count, !isAtEnd {
                    scanned = end - start
                    _ = try fill()
                    scanned += start
                    continue
                }
                let isBoth = isReturn && character(end + unit, unit) == 0x0A
                return try consume(end + (isBoth ? 2 * unit : unit) - start)
            }
            guard buffer.count - start <= Self.longestLine else {
                throw ListerFailure(
                    "unexpected_shape",
                    "line \(line + 1) is longer than 1 MiB; check the source's kind",
                    excerpt: Excerpt.of(buffer[start...])
                )
            }
            scanned = (buffer.count - start) / unit * unit
            if try !fill() {
                let left = buffer.count - start
                return left == 0 ? nil : try consume(left)
            }
            scanned += start
        }
    }

    /// Returns the place of the first line ending behind another place.
    private func lineEnd(from place: Int, _ unit: Int) -> Int? {
        guard unit == 2 else { return buffer[place...].firstIndex { $0 == 0x0A || $0 == 0x0D } }
        return stride(from: place, to: buffer.count - 1, by: 2).first { place in
            let unit = character(place, 2)
            return unit == 0x0A || unit == 0x0D
        }
    }

    /// Returns the unit at a place; nil behind the end.
    private func character(_ place: Int, _ unit: Int) -> UInt16? {
        guard place + unit <= buffer.count else { return nil }
        if unit == 1 { return UInt16(buffer[place]) }
        let (first, second) = (UInt16(buffer[place]), UInt16(buffer[place + 1]))
        return encoding == .utf16le ? second << 8 | first : first << 8 | second
    }

    private mutating func consume(_ count: Int) throws(ListerFailure) -> ArraySlice<UInt8> {
        defer {
            start += count
            offset += count
            line += 1
        }
        return try decoded(buffer[start..<start + count])
    }

    private func decoded(_ bytes: ArraySlice<UInt8>) throws(ListerFailure) -> ArraySlice<UInt8> {
        if encoding == .utf8 { return bytes }
        return try PageEncoding.utf8(bytes, encoding)[...]
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
