import Vocabulary

extension String {
    /// The text with everything escaped that could control a terminal or hide text: control and format
    /// characters, line and paragraph separators.
    ///
    /// Names and URLs come from strangers, and must never reach a terminal unescaped.
    var safeForTerminal: String { escapedForLog }

    /// A row or line for programs as it is shown on a terminal: with what could steer that as escapes of JSON, but for
    /// the end of the line.
    var lineForTerminal: String {
        guard utf8.last == UInt8(ascii: "\n") else { return withoutSteering() }
        let end = utf8.dropLast().last == UInt8(ascii: "\r") ? 2 : 1
        return String(Substring(utf8.dropLast(end))).withoutSteering() + "\n"
    }

    /// The number of columns on a terminal.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the text shortened to a number of columns, ending in `…` if anything is missing.
    func cut(to width: Int) -> String {
        guard columns > width else { return self }
        guard width > 0 else { return "" }
        var cut = ""
        var used = 0
        for character in self {
            guard used + character.columns <= width - 1 else { break }
            cut.append(character)
            used += character.columns
        }
        return cut + "…"
    }

    /// Returns the text shortened in the middle to a number of columns, so that a file name keeps its
    /// extension.
    func cutInMiddle(to width: Int) -> String {
        guard columns > width else { return self }
        guard width > 4 else { return cut(to: width) }
        var tail = ""
        for character in reversed() {
            guard tail.columns + character.columns <= (width - 1) / 2 else { break }
            tail.insert(character, at: tail.startIndex)
        }
        return cut(to: width - tail.columns) + tail
    }

    /// Returns the text in lines of at most a number of columns, broken at spaces; a longer word, which may be
    /// a URL to copy, has a line of its own.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.columns + 1 + String(word).columns <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// Returns the text padded with spaces to a number of columns, on the right or on the left.
    func padded(to width: Int, right: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - columns))
        return right ? blanks + self : self + blanks
    }
}

extension Character {
    /// The number of columns on a terminal: none for combining marks, two for wide characters and emoji.
    var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation || first.isWide { return 2 }
        if unicodeScalars.contains("\u{fe0f}"), first.properties.isEmoji { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1
        }
    }
}

extension Unicode.Scalar {
    /// True if the East Asian Width is W or F, by the blocks of UAX #11.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
