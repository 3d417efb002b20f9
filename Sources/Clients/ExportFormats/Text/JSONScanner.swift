/// Reads JSON from the daemon in one pass, value by value, and only keeps what it is asked for.
///
/// Foundation's decoder takes ten times as long for a page of jobs, and an export may have a million jobs.
///
/// It reads through a pointer, which is valid only within ``read(_:in:_:)``: an array and its slices are
/// retained and released at every step, which takes as long as all else. Nothing is read at or behind ``end``.
struct JSONScanner {
    /// The maximum depth of nested values.
    static let maximumDepth = 100

    /// The key of a member, a part of the text.
    typealias Key = Slice<UnsafeBufferPointer<UInt8>>

    let bytes: UnsafeBufferPointer<UInt8>
    var position: Int
    let end: Int

    /// Calls `body` with a scanner for a part of a text.
    static func read<Result>(
        _ bytes: [UInt8],
        in range: Range<Int>,
        _ body: (inout JSONScanner) throws(NoJob) -> Result
    ) throws(NoJob) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        return try bytes.withUnsafeBufferPointer { (bytes) throws(NoJob) in
            var scanner = JSONScanner(bytes: bytes, position: range.lowerBound, end: range.upperBound)
            return try body(&scanner)
        }
    }

    /// Reads an object, calling `member` with each key, which has to read or skip the value.
    mutating func object(
        _ member: (inout JSONScanner, Key) throws(NoJob) -> Void
    ) throws(NoJob) {
        try expect(UInt8(ascii: "{"))
        if consume(UInt8(ascii: "}")) { return }
        repeat {
            let key = bytes[try rawString().contents]
            try expect(UInt8(ascii: ":"))
            skipSpace()
            try member(&self, key)
        } while consume(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    /// Reads an array, calling `element` for each element, which has to read or skip it.
    mutating func array(_ element: (inout JSONScanner) throws(NoJob) -> Void) throws(NoJob) {
        try expect(UInt8(ascii: "["))
        if consume(UInt8(ascii: "]")) { return }
        repeat {
            skipSpace()
            try element(&self)
        } while consume(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
    }

    /// Reads null, if that comes next, and returns whether it did.
    mutating func isNull() -> Bool {
        skipSpace()
        guard position + 4 <= end, bytes[position] == UInt8(ascii: "n") else { return false }
        position += 4
        return true
    }

    /// Reads a string.
    mutating func string() throws(NoJob) -> String {
        let (range, isEscaped) = try rawString()
        return isEscaped ? try unescaped(range) : text(of: range)
    }

    /// Returns a part of the text as it is.
    func text(of range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    /// Reads a string or null.
    mutating func stringOrNull() throws(NoJob) -> String? { isNull() ? nil : try string() }

    /// Reads an integer.
    mutating func integer() throws(NoJob) -> Int64 {
        if let whole = shortInteger() { return whole }
        let number = try number()
        guard let integer = Int64(exactly: number.rounded()) else { throw NoJob() }
        return integer
    }

    /// Reads an integer or null.
    mutating func integerOrNull() throws(NoJob) -> Int64? { isNull() ? nil : try integer() }

    /// Reads a number.
    mutating func number() throws(NoJob) -> Double {
        if let whole = shortInteger() { return Double(whole) }
        guard let number = Double(text(of: try skip())) else { throw NoJob() }
        return number
    }

    /// Reads a number of a few digits, as most are; nil, with nothing read, if another value comes next.
    private mutating func shortInteger() -> Int64? {
        skipSpace()
        var (value, place) = (Int64(0), position)
        while place < end, place - position <= 15, case let digit = bytes[place] &- 0x30, digit <= 9 {
            value = value * 10 + Int64(digit)
            place += 1
        }
        guard (1...15).contains(place - position), place == end || Self.endsWord(bytes[place]) else {
            return nil
        }
        position = place
        return value
    }

    /// Skips the next value, whatever it is, and returns its place in the text.
    @discardableResult
    mutating func skip() throws(NoJob) -> Range<Int> {
        skipSpace()
        let start = position
        var depth = 0
        repeat {
            skipSpace()
            guard position < end else { throw NoJob() }
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= Self.maximumDepth else { throw NoJob() }
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                guard depth >= 0 else { throw NoJob() }
                position += 1
            case UInt8(ascii: "\""): _ = try rawString()
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { throw NoJob() }
                position += 1
            default: word()
            }
        } while depth > 0
        return start..<position
    }

    private mutating func word() {
        while position < end, !Self.endsWord(bytes[position]) { position += 1 }
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D,
            0x09:
            true
        default: false
        }
    }

    /// Skips a string and returns the place of its contents, and whether they have escapes.
    private mutating func rawString() throws(NoJob) -> (contents: Range<Int>, isEscaped: Bool) {
        try expect(UInt8(ascii: "\""))
        let start = position
        var isEscaped = false
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return (start..<(position - 1), isEscaped)
            case UInt8(ascii: "\\"):
                isEscaped = true
                position += 2
            default: position += 1
            }
        }
        throw NoJob()
    }

    private mutating func expect(_ byte: UInt8) throws(NoJob) {
        guard consume(byte) else { throw NoJob() }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < end, bytes[position] <= 0x20 { position += 1 }
    }
}

/// The text isn't a page of jobs.
public struct NoJob: Error, Hashable {
    /// Creates the error.
    public init() {}
}
