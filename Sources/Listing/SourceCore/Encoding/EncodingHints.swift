import Vocabulary

/// The signs of the encoding of a page.
public enum EncodingHints {
    /// The encoding that a byte order mark at the beginning says, with the mark's length; nil if there is none.
    public static func mark(_ bytes: some Collection<UInt8>) -> (encoding: TextEncoding, length: Int)? {
        let start = Array(bytes.prefix(3))
        if start == [0xEF, 0xBB, 0xBF] { return (.utf8, 3) }
        if start.starts(with: [0xFF, 0xFE]) { return (.utf16le, 2) }
        if start.starts(with: [0xFE, 0xFF]) { return (.utf16be, 2) }
        return nil
    }

    /// UTF-16 without a mark, in which every other byte of plain text is zero; nil for anything else.
    ///
    /// Two characters are looked at, of which JSON and XML have ASCII ones at the beginning (RFC 4627 §3), and lists
    /// of URLs, too.
    public static func unmarked(_ bytes: some Collection<UInt8>) -> TextEncoding? {
        let start = Array(bytes.prefix(4))
        guard start.count == 4 else { return nil }
        switch start.map({ $0 == 0 }) {
        case [false, true, false, true]: return .utf16le
        case [true, false, true, false]: return .utf16be
        default: return nil
        }
    }

    /// The label in the charset of a Content-Type field (RFC 9110 §8.3.2); nil if there is none.
    public static func charset(inContentType field: String?) -> String? {
        for part in (field ?? "").split(separator: ";").dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, sides[0].trimmed.lowercased() == "charset" else { continue }
            let label = sides[1].trimmed.filter { $0 != "\"" && $0 != "'" }
            return label.isEmpty ? nil : label
        }
        return nil
    }

    /// The label in an XML declaration (XML 1.0 §2.8) at the beginning; nil if there is none.
    public static func declaration(inXML bytes: some Collection<UInt8>) -> String? {
        let text = String(decoding: bytes.prefix(1024), as: UTF8.self).drop(while: \.isWhitespace)
        guard text.hasPrefix("<?xml"), let end = text.firstIndex(of: ">") else { return nil }
        let declaration = text[..<end]
        guard let name = declaration.range(of: "encoding") else { return nil }
        let value = declaration[name...].dropFirst("encoding".count).drop { $0.isWhitespace || $0 == "=" }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    /// The label that a page of HTML gives in a `meta` element (HTML §13.2.3.2) at its beginning; nil if there is none.
    public static func declaration(inHTML bytes: some Collection<UInt8>) -> String? {
        let text = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...].dropFirst()
            if rest.hasPrefix("!--") {
                guard let end = rest.range(of: "-->") else { return nil }
                rest = rest[end...].dropFirst(3)
                continue
            }
            guard rest.hasPrefix("meta"),
                rest.dropFirst(4).first.map({ $0.isWhitespace || $0 == "/" }) ?? false
            else { continue }
            let tag = rest.prefix { $0 != ">" }
            guard let name = tag.range(of: "charset") else { continue }
            let value = tag[name...].dropFirst("charset".count).drop(while: \.isWhitespace)
            guard value.first == "=" else { continue }
            let label = value.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
                .prefix { !$0.isWhitespace && !["\"", "'", ";", "/", ">"].contains($0) }
            if !label.isEmpty { return String(label) }
        }
        return nil
    }
}
