/// A line of a list of URLs, alike for the client, the watched folder, sources and a fleet: a URL, and perhaps a
/// name and a comment.
///
/// A comment begins with a `#` at the beginning of a line or after white space; any other `#` belongs to the URL.
/// A name may follow a URL after a tab; in quotation marks, it may have a `#` after a blank.
public struct URLLine: Hashable, Sendable {
    /// The text where the URL is, with the white space around it.
    public let given: Substring
    /// The URL, without white space at its ends.
    public let url: String
    /// The name that the URL's document is to have; nil if the line gives none.
    public let name: String?

    /// Reads a line; nil if there is no URL on it.
    public init?(_ line: Substring) {
        (given, name) = line.withQuotedName ?? line.withoutComment.withoutName
        url = given.trimmed
        if url.isEmpty { return nil }
    }
}

extension Substring {
    /// Returns whether a byte is in the text; the view's own search isn't specialized, and several times slower.
    fileprivate func has(_ byte: UInt8) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)
    }

    /// The text before a comment; a `#` that follows other characters belongs to the URL.
    fileprivate var withoutComment: Substring {
        // A fast path for almost every line.
        guard has(UInt8(ascii: "#")) else { return self }
        let begin = indices.first { place in
            self[place] == "#" && (place == startIndex || self[index(before: place)].isWhitespace)
        }
        return self[..<(begin ?? endIndex)]
    }

    /// The text before a tab, and the name behind it in quotation marks; nil if there is no such name.
    ///
    /// Two marks in a name are one, and a `#` begins no comment there.
    fileprivate var withQuotedName: (url: Substring, name: String?)? {
        // A fast path for almost every line.
        guard has(UInt8(ascii: "\"")), let first = firstIndex(where: { !$0.isWhitespace }),
            let tab = self[first...].firstIndex(of: "\t"),
            self[..<tab].withoutComment.endIndex == tab
        else { return nil }
        var rest = self[tab...].drop(while: \.isWhitespace)
        guard rest.popFirst() == "\"" else { return nil }
        var name = ""
        while let mark = rest.firstIndex(of: "\"") {
            name += rest[..<mark]
            rest = rest[index(after: mark)...]
            guard rest.first == "\"" else {
                guard rest.withoutComment.trimmed.isEmpty else { return nil }
                name = name[...].trimmed
                return (self[..<tab], name.isEmpty ? nil : name)
            }
            name += "\""
            rest = rest.dropFirst()
        }
        return nil
    }

    /// The text before a tab that follows something else, and the name behind it.
    fileprivate var withoutName: (url: Substring, name: String?) {
        // A fast path for almost every line.
        guard has(UInt8(ascii: "\t")), let first = firstIndex(where: { !$0.isWhitespace }),
            let tab = self[first...].firstIndex(of: "\t")
        else { return (self, nil) }
        let name = self[tab...].trimmed
        // Tabs at the end of a line are nothing but that.
        return name.isEmpty ? (self, nil) : (self[..<tab], name)
    }
}
