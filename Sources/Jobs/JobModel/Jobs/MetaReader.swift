import Vocabulary

/// Reads a JSON object strictly (RFC 8259), and writes it in the one spelling of a ``JobMeta``.
///
/// What it costs is bounded by the length of the text and by ``JobMeta/maximumDepth``.
struct MetaReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private typealias Refusal = JobMeta.Refusal

    /// Reads the whole text.
    mutating func object() throws(JobMeta.Refusal) -> [UInt8] {
        skipSpace()
        guard next == UInt8(ascii: "{") else { throw Refusal(message: "it must be an object") }
        let text = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw malformed }
        return text
    }

    /// The text of a member of the object, whose key is given as it is written; nil where there is none.
    mutating func member(quoted wanted: [UInt8]) -> String? {
        position = 1
        while next == UInt8(ascii: "\"") {
            guard let key = try? string(), next == UInt8(ascii: ":") else { return nil }
            position += 1
            let start = position
            guard let value = try? value(depth: 1) else { return nil }
            if key == wanted { return unquoted(value, from: start) }
            position += 1
        }
        return nil
    }

    private func unquoted(_ value: [UInt8], from start: Int) -> String? {
        guard value.first == UInt8(ascii: "\"") else { return String(decoding: value, as: UTF8.self) }
        var reader = MetaReader(Array(bytes[start...]))
        return (try? reader.characters()).map { String(decoding: $0, as: UTF8.self) }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var malformed: JobMeta.Refusal { Refusal(message: "it is not JSON, at byte \(position + 1)") }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func value(depth: Int) throws(JobMeta.Refusal) -> [UInt8] {
        skipSpace()
        guard let byte = next else { throw malformed }
        guard depth < JobMeta.maximumDepth || byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[") else {
            throw Refusal(message: "it nests deeper than \(JobMeta.maximumDepth)")
        }
        switch byte {
        case UInt8(ascii: "{"): return try members(depth: depth + 1)
        case UInt8(ascii: "["): return try elements(depth: depth + 1)
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "t"): return try word("true")
        case UInt8(ascii: "f"): return try word("false")
        case UInt8(ascii: "n"): return try word("null")
        default: return try number()
        }
    }

    private mutating func members(depth: Int) throws(JobMeta.Refusal) -> [UInt8] {
        var members: [(key: [UInt8], value: [UInt8])] = []
        try pieces(until: UInt8(ascii: "}")) { (reader) throws(JobMeta.Refusal) in
            guard reader.next == UInt8(ascii: "\"") else { throw reader.malformed }
            let key = try reader.string()
            reader.skipSpace()
            guard reader.next == UInt8(ascii: ":") else { throw reader.malformed }
            reader.position += 1
            members.append((key, try reader.value(depth: depth)))
            guard members.count <= JobMeta.maximumKeys else {
                throw Refusal(message: "an object in it has more than \(JobMeta.maximumKeys) keys")
            }
        }
        members.sort { $0.key.lexicographicallyPrecedes($1.key) }
        for (one, other) in zip(members, members.dropFirst()) where one.key == other.key {
            throw Refusal(message: "the key \(String(decoding: one.key, as: UTF8.self)) is in it twice")
        }
        var text = [UInt8(ascii: "{")]
        for (key, value) in members {
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            text += key
            text.append(UInt8(ascii: ":"))
            text += value
        }
        return text + [UInt8(ascii: "}")]
    }

    private mutating func elements(depth: Int) throws(JobMeta.Refusal) -> [UInt8] {
        var text = [UInt8(ascii: "[")]
        try pieces(until: UInt8(ascii: "]")) { (reader) throws(JobMeta.Refusal) in
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            text += try reader.value(depth: depth)
        }
        return text + [UInt8(ascii: "]")]
    }

    /// Reads what is between the brackets of an array or object, with commas between.
    private mutating func pieces(
        until end: UInt8,
        _ read: (inout MetaReader) throws(JobMeta.Refusal) -> Void
    ) throws(JobMeta.Refusal) {
        position += 1
        skipSpace()
        if next != end {
            while true {
                skipSpace()
                try read(&self)
                skipSpace()
                guard next == UInt8(ascii: ",") else { break }
                position += 1
            }
        }
        guard next == end else { throw malformed }
        position += 1
    }

    private mutating func word(_ word: String) throws(JobMeta.Refusal) -> [UInt8] {
        guard bytes[position...].starts(with: word.utf8) else { throw malformed }
        position += word.utf8.count
        return Array(word.utf8)
    }

    private mutating func number() throws(JobMeta.Refusal) -> [UInt8] {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let first = next
        guard try digits() == 1 || first != UInt8(ascii: "0") else { throw malformed }
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        return Array(bytes[start..<position])
    }

    @discardableResult
    private mutating func digits() throws(JobMeta.Refusal) -> Int {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw malformed }
        return position - start
    }

    // MARK: - Strings

    /// Reads a string, and gives it in its quotes, in the one spelling.
    private mutating func string() throws(JobMeta.Refusal) -> [UInt8] {
        var text: [UInt8] = []
        try characters().withUnsafeBufferPointer { JSONString.append($0, to: &text) }
        return text
    }

    /// Reads a string, and gives its characters.
    private mutating func characters() throws(JobMeta.Refusal) -> [UInt8] {
        position += 1
        var text: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw malformed }
            position += 1
            if byte == UInt8(ascii: "\\") { text += try escaped() } else { text.append(byte) }
        }
        guard next != nil, String(validating: text, as: UTF8.self) != nil else { throw malformed }
        position += 1
        return text
    }

    private mutating func escaped() throws(JobMeta.Refusal) -> [UInt8] {
        guard let byte = next else { throw malformed }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try unicode()
        default: throw malformed
        }
    }

    private mutating func unicode() throws(JobMeta.Refusal) -> [UInt8] {
        var number = try codeUnit()
        if (0xD800..<0xDC00).contains(number) {
            guard next == UInt8(ascii: "\\") else { throw malformed }
            position += 1
            guard next == UInt8(ascii: "u") else { throw malformed }
            position += 1
            let low = try codeUnit()
            guard (0xDC00..<0xE000).contains(low) else { throw malformed }
            number = 0x10000 + (number - 0xD800) << 10 + (low - 0xDC00)
        }
        // Half of a pair alone is no character.
        guard let scalar = Unicode.Scalar(number) else { throw malformed }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func codeUnit() throws(JobMeta.Refusal) -> UInt32 {
        guard position + 4 <= bytes.count, let number = bytes[position..<position + 4].hexNumber
        else { throw malformed }
        position += 4
        return number
    }
}
