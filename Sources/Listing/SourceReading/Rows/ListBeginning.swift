import SourceCore

/// The beginning of a list in rows, which shows where a server has sent something else with status 200: a
/// page to log in at, or an error as JSON.
///
/// Whatever has lines can be read as a table or as a list of URLs, so nothing else would notice.
struct ListBeginning {
    /// The most bytes of the list that are looked at.
    static let length = 64 << 10

    /// Those bytes, without the blanks before them.
    private let bytes: ArraySlice<UInt8>

    /// True if nothing stands before them.
    private let isWhole: Bool

    init(_ bytes: ArraySlice<UInt8>) {
        isWhole = bytes.first.map { !Self.isBlank($0) && $0 != 0x0A && $0 != 0x0D } ?? true
        self.bytes = bytes.drop { Self.isBlank($0) || $0 == 0x0A || $0 == 0x0D }
    }

    /// The delimiter that a table gives in its first line, as Excel reads it: `sep=;`; nil if it gives none.
    var delimiter: UInt8? {
        let line = Array(bytes.prefix { $0 != 0x0A && $0 != 0x0D }.prefix(8)).filter { $0 != 0x22 }
        guard isWhole, line.count == 5, line.prefix(4).elementsEqual("sep=".utf8) else { return nil }
        return line[4] < 0x80 ? line[4] : nil
    }

    /// Checks that this can be the beginning of a list.
    ///
    /// - Parameter hasOwnItems: True if the recipe says what the items of a line are.
    func check(_ reader: Preset.Reader, hasOwnItems: Bool = false) throws(ListerFailure) {
        let what =
            switch reader {
            case .rows: "a table"
            case .lines: "a list of URLs"
            default: "JSON Lines"
            }
        let found: String
        var advice = "check the source's url and kind"
        if bytes.prefix(1024).contains(0) {
            found = "something else, with bytes that no text has"
        } else if reader == .jsonLines, isOneValue || !hasOwnItems && isOneArray {
            found = "one JSON value"
            advice = "set kind: json, and say in items where its items are, such as .[]"
        } else if bytes.first == UInt8(ascii: "<"), reader != .rows || isDocument {
            throw ListerFailure(
                "unexpected_type",
                "the page should be \(what), but is \(HTMLBeginning(bytes).words)",
                excerpt: Excerpt.of(bytes)
            )
        } else if reader != .jsonLines, isJSON {
            found = "JSON"
        } else {
            return
        }
        throw ListerFailure(
            "unexpected_type",
            "the page should be \(what), but is \(found); \(advice)",
            excerpt: Excerpt.of(bytes)
        )
    }

    /// True if what begins with `<` is a document; the first field of a table may be a title with a tag.
    private var isDocument: Bool {
        let start = String(decoding: bytes.prefix(8), as: UTF8.self).lowercased()
        return ["<!", "<?", "<html", "<head", "<body"].contains { start.hasPrefix($0) }
    }

    /// True if the first line is a whole object or array, or the beginning of one on several lines.
    ///
    /// `[Untitled],http://…` and `{"a": 1}<tab>http://…` are rows.
    private var isJSON: Bool {
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard let first = line.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            return false
        }
        guard let end = Self.end(of: line) else {
            let next = line.dropFirst().first { !Self.isBlank($0) }
            return next == nil || next == UInt8(ascii: "\"") || next == UInt8(ascii: "{")
        }
        guard line[end...].dropFirst().allSatisfy(Self.isBlank) else { return false }
        return (try? JSONValueReader.read(Array(line))) != nil
    }

    /// True if the first line is the beginning of a value on several lines.
    private var isOneValue: Bool {
        var line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard let first = line.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            Self.end(of: line) == nil, line.count < bytes.count
        else { return false }
        while let last = line.last, Self.isBlank(last) { line.removeLast() }
        return line.last.map { "{[,".utf8.contains($0) } ?? false
    }

    /// True if all that there is is one array of objects, on one line.
    private var isOneArray: Bool {
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.first == UInt8(ascii: "["),
            line.dropFirst().first(where: { !Self.isBlank($0) }) == UInt8(ascii: "{")
        else { return false }
        let rest = bytes[line.endIndex...]
        return rest.allSatisfy { Self.isBlank($0) || $0 == 0x0A || $0 == 0x0D }
    }

    /// Returns where the bracket with which a line begins is closed; nil if it isn't.
    private static func end(of line: ArraySlice<UInt8>) -> Int? {
        var (depth, isText, isEscaped) = (0, false, false)
        for (place, byte) in zip(line.indices, line) {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return place }
            default: break
            }
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
