/// Reads JSON from the daemon in one pass, value by value, and only keeps what it is asked for.
///
/// Foundation's decoder takes ten times as long for a page of jobs, and an export may have a million jobs.
struct JSONScanner {
    /// The maximum depth of nested values.
    static let maximumDepth = 100

    let bytes: [UInt8]
    var position: Int
    let end: Int

    /// Creates a scanner for a part of a text.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Reads an object, calling `member` with each key, which has to read or skip the value.
    mutating func object(
        _ member: (inout JSONScanner, ArraySlice<UInt8>) throws(NoJob) -> Void
    ) throws(NoJob) {
        try expect(UInt8(ascii: "{"))
        if take(UInt8(ascii: "}")) { return }
        repeat {
            let key = bytes[try rawString()]
            try expect(UInt8(ascii: ":"))
            skipSpace()
            try member(&self, key)
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    /// Reads an array, calling `element` for each element, which has to read or skip it.
    mutating func array(_ element: (inout JSONScanner) throws(NoJob) -> Void) throws(NoJob) {
        try expect(UInt8(ascii: "["))
        if take(UInt8(ascii: "]")) { return }
        repeat {
            skipSpace()
            try element(&self)
        } while take(UInt8(ascii: ","))
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
        let range = try rawString()
        guard bytes[range].contains(UInt8(ascii: "\\")) else {
            return String(decoding: bytes[range], as: UTF8.self)
        }
        return try unescaped(range)
    }

    /// Reads a string or null.
    mutating func stringOrNull() throws(NoJob) -> String? { isNull() ? nil : try string() }

    /// Reads an integer.
    mutating func integer() throws(NoJob) -> Int64 {
        let number = try number()
        guard let integer = Int64(exactly: number.rounded()) else { throw NoJob() }
        return integer
    }

    /// Reads an integer or null.
    mutating func integerOrNull() throws(NoJob) -> Int64? { isNull() ? nil : try integer() }

    /// Reads a number.
    mutating func number() throws(NoJob) -> Double {
        let range = try skip()
        var value: Int64 = 0
        // Most numbers have only a few digits.
        if range.count <= 15, bytes[range].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), !range.isEmpty {
            for byte in bytes[range] { value = value * 10 + Int64(byte - 0x30) }
            return Double(value)
        }
        guard let number = Double(String(decoding: bytes[range], as: UTF8.self)) else { throw NoJob() }
        return number
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
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D,
                0x09:
                return
            default: position += 1
            }
        }
    }

    /// Skips a string and returns the place of its contents, which may have escapes.
    private mutating func rawString() throws(NoJob) -> Range<Int> {
        try expect(UInt8(ascii: "\""))
        let start = position
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return start..<(position - 1)
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        throw NoJob()
    }

    private mutating func expect(_ byte: UInt8) throws(NoJob) {
        guard take(byte) else { throw NoJob() }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
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
