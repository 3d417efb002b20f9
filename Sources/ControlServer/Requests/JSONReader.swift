/// Reads JSON text strictly, piece by piece, and says where it stops being JSON.
///
/// The reason for one of our own: a post of 100,000 items must name every
/// wrong item and unknown key, and must not keep a thread for seconds.
/// Foundation's decoder stops at the first and takes several times as long.
///
/// It goes through the text once, and never holds a tree of it: who reads asks for one member or
/// element after the other, and what nobody asks for leaves nothing behind. So neither depth nor
/// length of a text decides what it costs beyond its own bytes.
struct JSONReader {
    /// Where the text stops being JSON.
    struct Malformed: Error, Hashable {
        /// From 1.
        var line: Int
        /// In bytes, from 1.
        var column: Int
        /// What is wrong there.
        var reason: String
    }

    /// How deep arrays and objects may nest; the deepest request has three levels.
    static let maximumDepth = 16
    /// How many keys an object may have; they are compared one by one.
    static let maximumKeys = 64

    let bytes: [UInt8]
    var position = 0
    /// What has been begun and not ended, from the outside in.
    private var open: [Container] = []

    private struct Container {
        /// The keys so far; nil for an array.
        var keys: [Key]?
        var isEmpty = true
    }

    /// A key, and what tells most others from it at a glance, however long both are.
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

    /// A reader at the beginning of a text.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the next value to its end; of an array or object nothing is kept.
    mutating func value() throws(Malformed) -> JSONValue { try value(isWanted: true) }

    /// Reads the next value to its end, for nobody.
    mutating func skip() throws(Malformed) { _ = try value(isWanted: false) }

    private mutating func value(isWanted: Bool) throws(Malformed) -> JSONValue {
        let depth = open.count
        let value = try begin(isWanted: isWanted)
        while open.count > depth { try skipPiece() }
        return value
    }

    /// Reads the next value to its end, an object by its members: `read` has to read the value of each.
    ///
    /// Of an array nothing is kept.
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

    /// Reads the next value to its end, an array by its elements: `read` has to read each.
    ///
    /// Of an object nothing is kept.
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

    /// The key of the next member of the object that was begun last, whose value has to be read
    /// next; nil at its end.
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

    /// Whether the array that was begun last has another element, which has to be read next.
    private mutating func nextElement() throws(Malformed) -> Bool {
        try goOn(to: UInt8(ascii: "]"), "a comma or ] was expected")
    }

    /// Sees to it that nothing follows.
    mutating func end() throws(Malformed) {
        skipSpace()
        guard position == bytes.count else { throw malformed("something follows the end") }
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

    /// Goes to the next member or element; false behind the container's end.
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

    /// Refuses a key that comes twice: byte by byte, since other forms of one letter are other keys
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

    /// Goes one member or element on in the container that was begun last.
    private mutating func skipPiece() throws(Malformed) {
        let isThere = open[open.count - 1].keys == nil ? try nextElement() : try nextKey() != nil
        if isThere { _ = try begin(isWanted: false) }
    }

    private mutating func begin(isWanted: Bool) throws(Malformed) -> JSONValue {
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
        case UInt8(ascii: "\""): return .string(try string(atMost: isWanted ? Self.maximumTextLength : 0))
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
