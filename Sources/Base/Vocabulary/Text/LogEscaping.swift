extension String {
    /// True if there is nothing to escape, as in almost every text.
    ///
    /// This fast check for plain ASCII saves looking up the Unicode properties of each character.
    public var isPlainInLog: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// The text with control characters, line separators and invisible direction marks escaped, so that
    /// an event is always one line and reads as what it is.
    public var escapedForLog: String {
        if isPlainInLog { return self }
        guard unicodeScalars.contains(where: \.steersTerminal) else { return self }
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\t": escaped += "\\t"
            case let scalar where scalar.steersTerminal:
                escaped += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The escaped text in quotes, with quotes inside escaped as well.
    public var quotedForLog: String {
        let text = escapedForLog
        guard text.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(text)\"" }
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" { quoted += "\\" }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    /// The escaped beginning of a server's text, short enough for a message.
    public var excerpt: String { limited(toBytes: 100).escapedForLog }

    /// Returns the text shortened to a number of bytes of UTF-8, with an ellipsis if anything is cut.
    public func limited(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var cut = ""
        var left = limit - "…".utf8.count
        // By scalars, since a single character can have any number of them.
        for scalar in unicodeScalars {
            left -= UTF8.width(scalar)
            guard left >= 0 else { break }
            cut.unicodeScalars.append(scalar)
        }
        return cut + "…"
    }
}
