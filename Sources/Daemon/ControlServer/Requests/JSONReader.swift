/// A strict JSON parser that reads value by value and reports where the text stops being JSON.
///
/// It exists because a request of 100,000 items must get an error for every bad item and unknown key,
/// and must not occupy a thread for seconds. Foundation's decoder stops at the first error and takes
/// several times as long.
///
/// There are two more readers of JSON, on purpose. `JSONScanner` (ExportFormats) believes what a daemon of ours
/// says, reads through a pointer, and is eight times as fast, which exports of a million jobs need. `MetaReader`
/// (JobModel) writes an object of at most 4 KiB anew in one spelling, which no other does, in microseconds.
///
/// It goes through the text once and never builds a tree: the caller asks for one member or element
/// after another, and anything skipped leaves no trace. Neither the depth nor the length of a text costs
/// more than its own bytes.
struct JSONReader {
    /// The place where the text stops being JSON.
    struct Malformed: Error, Hashable {
        /// The line, from 1.
        var line: Int
        /// The column in bytes, from 1.
        var column: Int
        /// The problem at this place.
        var reason: String
    }

    /// The deepest nesting of arrays and objects; the deepest request has three levels.
    static let maximumDepth = 16
    /// The most keys in an object, bounded because they are compared one by one.
    static let maximumKeys = 64

    let bytes: [UInt8]
    var position = 0
    /// The open containers, from the outside in.
    private var open: [Container] = []

    private struct Container {
        /// The keys read so far; nil for an array.
        var keys: [Key]?
        var isEmpty = true
    }

    /// A key with a hash that rules out most others quickly, however long both are.
    private struct Key: Equatable {
        let hash: Int
        let text: String

        init(_ text: String) {
            var bytes = text
            var hasher = Hasher()
            bytes.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            hash = hasher.finalize()
            self.text = text
        }

        static func == (one: Key, other: Key) -> Bool {
            one.hash == other.hash && one.text.utf8.elementsEqual(other.text.utf8)
        }
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the complete next value; the content of an array or object is not kept.
    ///
    /// - Parameter limit: The most bytes kept of a string, which has to be more than it may have: one that was
    ///   cut has this many.
    mutating func value(
        textAtMost limit: Int = maximumTextLength
    ) throws(Malformed) -> JSONValue {
        try value(isWanted: true, textAtMost: limit)
    }

    /// Skips the next value.
    mutating func skip() throws(Malformed) { _ = try value(isWanted: false) }

    private mutating func value(
        isWanted: Bool,
        textAtMost limit: Int = maximumTextLength
    ) throws(Malformed) -> JSONValue {
        let depth = open.count
        let value = try begin(isWanted: isWanted, textAtMost: limit)
        while open.count > depth { try skipPiece() }
        return value
    }

    /// Reads the complete next value.
    ///
    /// If it is an object, calls `read` for each member, which must read its value.
    ///
    /// The content of an array is not kept.
    mutating func members(
        _ read: (inout JSONReader, String) throws(Malformed) -> Void
    ) throws(Malformed) -> JSONValue {
        let depth = open.count
        let value = try begin(isWanted: true)
        if case .object = value {
            while let key = try nextKey() { try read(&self, key) }
        } else {
            while open.count > depth { try skipPiece() }
        }
        return value
    }

    /// Reads the complete next value.
    ///
    /// If it is an array, calls `read` for each element, which must read it.
    ///
    /// The content of an object is not kept.
    mutating func elements(
        _ read: (inout JSONReader) throws(Malformed) -> Void
    ) throws(Malformed) -> JSONValue {
        let depth = open.count
        let value = try begin(isWanted: true)
        if case .array = value {
            while try nextElement() { try read(&self) }
        } else {
            while open.count > depth { try skipPiece() }
        }
        return value
    }

    /// Returns the key of the next member of the innermost object, whose value must be read next; nil at
    /// its end.
    private mutating func nextKey() throws(Malformed) -> String? {
        guard try goOn(to: UInt8(ascii: "}"), "a comma or } was expected") else { return nil }
        let start = position
        guard next == UInt8(ascii: "\"") else {
            throw malformed(next == nil ? "it ends too early" : "a key in quotes was expected")
        }
        let key = try string(atMost: Self.maximumKeyLength)
        try remember(key, at: start)
        skipSpace()
        guard next == UInt8(ascii: ":") else {
            throw malformed(next == nil ? "it ends too early" : "a colon was expected")
        }
        position += 1
        return key
    }

    /// Returns whether the innermost array has another element, which must be read next.
    private mutating func nextElement() throws(Malformed) -> Bool {
        try goOn(to: UInt8(ascii: "]"), "a comma or ] was expected")
    }

    /// Checks that nothing follows.
    mutating func end() throws(Malformed) {
        skipSpace()
        guard position == bytes.count else { throw malformed("there is more text after its end") }
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func malformed(_ reason: String, at place: Int? = nil) -> Malformed {
        let place = min(place ?? position, bytes.count)
        var line = 1
        var start = 0
        for index in 0..<place where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        return Malformed(line: line, column: place - start + 1, reason: reason)
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Moves to the next member or element; returns false at the container's end.
    private mutating func goOn(to end: UInt8, _ reason: String) throws(Malformed) -> Bool {
        skipSpace()
        if next == end {
            position += 1
            open.removeLast()
            return false
        }
        if !open[open.count - 1].isEmpty {
            guard next == UInt8(ascii: ",") else {
                throw malformed(next == nil ? "it ends too early" : reason)
            }
            position += 1
            skipSpace()
        }
        open[open.count - 1].isEmpty = false
        return true
    }

    /// Refuses a duplicate key.
    ///
    /// Keys are compared byte by byte, since other Unicode forms of the same letter are different keys
    /// (RFC 8259 §8.3).
    private mutating func remember(_ text: String, at start: Int) throws(Malformed) {
        let key = Key(text)
        let isKnown = open[open.count - 1].keys?.contains(key) ?? false
        guard !isKnown else { throw malformed("the key is given twice", at: start) }
        guard open[open.count - 1].keys?.count ?? 0 < Self.maximumKeys else {
            throw malformed("an object has more than \(Self.maximumKeys) keys", at: start)
        }
        open[open.count - 1].keys?.append(key)
    }

    /// Skips one member or element of the innermost container.
    private mutating func skipPiece() throws(Malformed) {
        let isThere = open[open.count - 1].keys == nil ? try nextElement() : try nextKey() != nil
        if isThere { _ = try begin(isWanted: false) }
    }

    private mutating func begin(
        isWanted: Bool,
        textAtMost limit: Int = maximumTextLength
    ) throws(Malformed) -> JSONValue {
        guard open.count <= Self.maximumDepth else {
            throw malformed("it nests deeper than \(Self.maximumDepth)")
        }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"):
            position += 1
            open.append(Container(keys: []))
            return .object
        case UInt8(ascii: "["):
            position += 1
            open.append(Container(keys: nil))
            return .array
        case UInt8(ascii: "\""): return .string(try string(atMost: isWanted ? limit : 0))
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case .some(let byte) where byte == UInt8(ascii: "-") || byte.isDigit:
            return try number(isWanted: isWanted)
        case .some: throw malformed("a value was expected")
        case nil: throw malformed("it ends too early")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Malformed) -> JSONValue {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard next == word.utf8Start[index] else { throw malformed("a value was expected", at: start) }
            position += 1
        }
        return value
    }
}

/// A JSON value read from a request (RFC 8259).
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    /// The content isn't kept here.
    case array
    /// The content isn't kept here.
    case object

    /// The kind of value, with its article, for use in a sentence.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
