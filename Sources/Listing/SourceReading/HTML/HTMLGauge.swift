import SourceCore

/// Measures HTML before it is parsed: the time that this takes grows with the square of how deep elements are nested,
/// and of how many attributes one has.
///
/// It only counts tags, so that it may miss what is meant to be missed; that ends with the time for a page.
struct HTMLGauge {
    /// The most elements in one another; browsers go some hundred deep.
    static let deepest = 5000
    /// The most attributes of an element.
    static let mostAttributes = 1000

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    static func check(_ bytes: [UInt8]) throws(ListerFailure) {
        let problem = bytes.withUnsafeBufferPointer { buffer in
            var gauge = HTMLGauge(bytes: buffer)
            return gauge.problem()
        }
        guard let problem else { return }
        throw ListerFailure("unexpected_shape", problem, excerpt: Excerpt.of(bytes.prefix(200)))
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func problem() -> String? {
        var depth = 0
        while let start = index(of: "<", from: place) {
            place = start + 1
            guard let byte = peek else { return nil }
            if byte == UInt8(ascii: "!") {
                skipDeclaration()
                continue
            }
            let isEnd = byte == UInt8(ascii: "/")
            if isEnd { place += 1 }
            guard let name = readName() else { continue }
            let (attributes, isClosed) = readAttributes()
            if attributes > Self.mostAttributes {
                return "an element has more than \(Self.mostAttributes) attributes"
            }
            if !isEnd, Self.raw.contains(name) {
                skipRaw(name)
                continue
            }
            guard !isClosed, !Self.passing.contains(name) else { continue }
            depth = max(0, depth + (isEnd ? -1 : 1))
            if depth > Self.deepest { return "elements are nested more than \(Self.deepest) deep" }
        }
        return nil
    }

    // MARK: - Tags

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func index(of character: Unicode.Scalar, from start: Int) -> Int? {
        let wanted = UInt8(ascii: character)
        var index = start
        while index < bytes.count {
            if bytes[index] == wanted { return index }
            index += 1
        }
        return nil
    }

    /// Passes over a comment, or anything else that is no element.
    private mutating func skipDeclaration() {
        guard place + 2 < bytes.count, bytes[place + 1] == UInt8(ascii: "-"),
            bytes[place + 2] == UInt8(ascii: "-")
        else {
            place = index(of: ">", from: place) ?? bytes.count
            return
        }
        // A comment may end with the dashes it begins with; one without an end is the rest of the page.
        var end = place + 3
        place = bytes.count
        while let next = index(of: ">", from: end) {
            end = next + 1
            guard bytes[next - 1] == UInt8(ascii: "-"), bytes[next - 2] == UInt8(ascii: "-") else { continue }
            place = end
            return
        }
    }

    /// Takes a name that begins with a letter, in lower case.
    private mutating func readName() -> String? {
        guard let first = peek, (0x61...0x7A).contains(first | 0x20) else { return nil }
        let start = place
        while let byte = peek, !Self.isBlank(byte), byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
            place += 1
        }
        // No name that means anything is longer.
        return String(decoding: bytes[start..<min(place, start + 16)], as: UTF8.self).lowercased()
    }

    /// Takes what follows a name up to the end of the tag.
    private mutating func readAttributes() -> (count: Int, isClosed: Bool) {
        var count = 0
        var isClosed = false
        while let byte = peek {
            if byte == UInt8(ascii: ">") {
                place += 1
                return (count, isClosed)
            }
            if Self.isBlank(byte) || byte == UInt8(ascii: "/") {
                isClosed = byte == UInt8(ascii: "/")
                place += 1
                continue
            }
            count += 1
            isClosed = false
            place += 1
            skip { !Self.isBlank($0) && ![0x2F, 0x3E, 0x3D].contains($0) }
            skip(Self.isBlank)
            guard peek == UInt8(ascii: "=") else { continue }
            place += 1
            skip(Self.isBlank)
            if let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                place += 1
                skip { $0 != quote }
                place = min(place + 1, bytes.count)
            } else {
                skip { !Self.isBlank($0) && $0 != UInt8(ascii: ">") }
            }
        }
        return (count, isClosed)
    }

    private mutating func skip(_ goesOn: (UInt8) -> Bool) {
        while let byte = peek, goesOn(byte) { place += 1 }
    }

    /// Passes over a text in which there are no elements, up to its end tag.
    private mutating func skipRaw(_ name: String) {
        let end = Array("</\(name)".utf8)
        while let next = index(of: "<", from: place) {
            place = next + 1
            guard next + end.count <= bytes.count else { break }
            if zip(bytes[next..<(next + end.count)], end).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) {
                place = next
                // The end tag itself counts as nothing.
                place = index(of: ">", from: place).map { $0 + 1 } ?? bytes.count
                return
            }
        }
        place = bytes.count
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Elements with nothing but text in them.
    private static let raw: Set<String> = [
        "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext",
    ]

    /// Elements that are never in one another: they have no end, or end where the next begins (HTML §13.1.2).
    private static let passing: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track",
        "wbr", "image", "keygen", "frame", "li", "p", "dt", "dd", "tr", "td", "th", "tbody", "thead", "tfoot",
        "colgroup", "option", "optgroup", "rt", "rp", "rb", "rtc", "a", "nobr",
    ]
}
