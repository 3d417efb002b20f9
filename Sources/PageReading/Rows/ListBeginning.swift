import ListerProtocol

/// The beginning of a list in rows, which shows where a server has sent something else with status 200: a
/// page to log in at, or an error as JSON.
///
/// Whatever has lines can be read as a table or as a list of URLs, so nothing else would notice.
struct ListBeginning {
    /// The most bytes of the list that are looked at.
    static let length = 64 << 10

    /// Those bytes, without the blanks before them.
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes.drop { Self.isBlank($0) || $0 == 0x0A || $0 == 0x0D }
    }

    /// Checks that this can be the beginning of a list.
    func check(_ reader: Preset.Reader) throws(ListerFailure) {
        let what =
            switch reader {
            case .rows: "a table"
            case .lines: "a list of URLs"
            default: "JSON Lines"
            }
        let found: String
        if bytes.first == UInt8(ascii: "<"), reader != .rows || isDocument {
            found = "HTML or XML"
        } else if reader != .jsonLines, isJSON {
            found = "JSON"
        } else {
            return
        }
        throw ListerFailure(
            "unexpected_type",
            "the page should be \(what), but is \(found); check the source's url and kind",
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
        return (try? JSONReader.read(Array(line))) != nil
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
