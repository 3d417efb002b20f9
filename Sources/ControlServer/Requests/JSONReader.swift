/// Reads JSON text strictly, and says where it stops being JSON.
///
/// The reason for one of our own: a post of 100,000 items must name every
/// wrong item and unknown key, and must not keep a thread for seconds.
/// Foundation's decoder stops at the first and takes several times as long.
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

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a whole text.
    static func read(_ bytes: [UInt8]) throws(Malformed) -> JSONValue {
        var reader = JSONReader(bytes)
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.malformed("something follows the end") }
        return value
    }

    private func malformed(_ reason: String, at place: Int? = nil) -> Malformed {
        let place = min(place ?? position, bytes.count)
        var line = 1
        var start = 0
        for index in 0..<place where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        return Malformed(line: line, column: place - start + 1, reason: reason)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func value(depth: Int) throws(Malformed) -> JSONValue {
        guard depth <= Self.maximumDepth else { throw malformed("it nests deeper than \(Self.maximumDepth)") }
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case .some(let byte) where byte == UInt8(ascii: "-") || byte.isDigit: return try number()
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

    private mutating func array(depth: Int) throws(Malformed) -> JSONValue {
        position += 1
        skipSpace()
        var items: [JSONValue] = []
        if next == UInt8(ascii: "]") {
            position += 1
            return .array(items)
        }
        while true {
            skipSpace()
            items.append(try value(depth: depth + 1))
            skipSpace()
            switch next {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"):
                position += 1
                return .array(items)
            case nil: throw malformed("it ends too early")
            default: throw malformed("a comma or ] was expected")
            }
        }
    }

    private mutating func object(depth: Int) throws(Malformed) -> JSONValue {
        position += 1
        skipSpace()
        var members: [JSONValue.Member] = []
        if next == UInt8(ascii: "}") {
            position += 1
            return .object(members)
        }
        while true {
            skipSpace()
            let start = position
            guard next == UInt8(ascii: "\"") else {
                throw malformed(next == nil ? "it ends too early" : "a key in quotes was expected")
            }
            let key = try string()
            guard !members.contains(where: { $0.key == key }) else {
                throw malformed("the key comes twice", at: start)
            }
            guard members.count < Self.maximumKeys else {
                throw malformed("an object has more than \(Self.maximumKeys) keys", at: start)
            }
            skipSpace()
            guard next == UInt8(ascii: ":") else {
                throw malformed(next == nil ? "it ends too early" : "a colon was expected")
            }
            position += 1
            skipSpace()
            members.append(.init(key: key, value: try value(depth: depth + 1)))
            skipSpace()
            switch next {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"):
                position += 1
                return .object(members)
            case nil: throw malformed("it ends too early")
            default: throw malformed("a comma or } was expected")
            }
        }
    }

    private mutating func string() throws(Malformed) -> String {
        let opening = position
        position += 1
        let start = position
        var unescaped: [UInt8]?
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let text: String? =
                    if let unescaped {
                        String(validating: unescaped, as: UTF8.self)
                    } else {
                        String(validating: bytes[start..<position], as: UTF8.self)
                    }
                guard let text else { throw malformed("a string is not UTF-8", at: opening) }
                position += 1
                return text
            case UInt8(ascii: "\\"):
                var text = unescaped ?? Array(bytes[start..<position])
                text.append(contentsOf: String(try escape()).utf8)
                unescaped = text
            case 0..<0x20: throw malformed("a control character in a string must be escaped")
            default:
                unescaped?.append(byte)
                position += 1
            }
        }
        throw malformed("a string has no end", at: opening)
    }

    private mutating func escape() throws(Malformed) -> Character {
        let start = position
        position += 1
        guard let byte = next else { throw malformed("it ends too early") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try hexUnit(start)
            guard UTF16.isLeadSurrogate(unit) else {
                guard let scalar = Unicode.Scalar(unit) else {
                    throw malformed("half a surrogate pair", at: start)
                }
                return Character(scalar)
            }
            guard next == UInt8(ascii: "\\"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "u")
            else { throw malformed("half a surrogate pair", at: start) }
            position += 2
            let trail = try hexUnit(start)
            guard UTF16.isTrailSurrogate(trail),
                let scalar = Unicode.Scalar(
                    0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
                )
            else { throw malformed("half a surrogate pair", at: start) }
            return Character(scalar)
        default: throw malformed("an unknown escape", at: start)
        }
    }

    private mutating func hexUnit(_ start: Int) throws(Malformed) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw malformed("\\u needs four hexadecimal digits", at: start)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    private mutating func number() throws(Malformed) -> JSONValue {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let first = next
        try digits(start)
        if first == UInt8(ascii: "0"), position - start > (bytes[start] == UInt8(ascii: "-") ? 2 : 1) {
            throw malformed("a number must not begin with zeros", at: start)
        }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try digits(start)
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits(start)
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            throw malformed("a number is too large", at: start)
        }
        // 1.0 and 1e2 are integers, too (JSON Schema 2020-12 §6.1.1).
        return Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }

    private mutating func digits(_ start: Int) throws(Malformed) {
        guard let byte = next, byte.isDigit else { throw malformed("a number lacks digits", at: start) }
        while let byte = next, byte.isDigit { position += 1 }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
