import ControlAPI
import Vocabulary

/// A list of URLs to add, each with the place it was read from.
struct ItemList: Sendable {
    /// A URL with its place.
    struct Item: Hashable, Sendable {
        /// The URL as given.
        var url: String
        /// The place, such as `argument 2` or `list.txt line 7`.
        var place: String
        /// The name that its document is to have, if the list gives one.
        var name: String?
    }

    /// The most items in a batch.
    static let maximum = 100_000
    /// The longest URL in bytes (JobURL).
    static let longestURL = 8192

    /// The consequence of a refusal of the whole list.
    static let nothingAdded = "Nothing was added: correct or remove it, and add again."

    /// The items in order.
    private(set) var items: [Item] = []

    /// Adds URLs given on the command line.
    mutating func add(arguments: [String]) {
        for (index, url) in arguments.enumerated() {
            items.append(Item(url: url, place: "argument \(index + 1)"))
        }
    }

    /// Adds a URL that was read from a place.
    mutating func add(url: String, place: String) { items.append(Item(url: url, place: place)) }

    /// Adds the URLs of a list, one a line.
    ///
    /// Blank lines and comments, which begin with a `#` at the beginning of a line or after white space,
    /// are ignored. A name may follow a URL after a tab; in quotation marks, it may have a `#` after a blank.
    ///
    /// - Parameter source: The name of the list for messages.
    mutating func add(list: String, source: String) {
        for (index, line) in list.lines.enumerated() {
            let (given, name) = line.withQuotedName ?? line.withoutComment.withoutName
            let url = given.trimmed
            guard !url.isEmpty else { continue }
            // What is too long is refused as it is: it may be more than it looks like.
            let isLong = given.utf8.count > Self.longestURL
            items.append(
                Item(url: isLong ? String(given) : url, place: "\(source) line \(index + 1)", name: name)
            )
        }
    }

    /// Adds the URLs of a list, one a line, which need not be UTF-8: a URL is bytes, which are percent-encoded as
    /// they are.
    mutating func add(bytes: [UInt8], source: String) {
        if let text = String(validating: bytes, as: UTF8.self) { return add(list: text, source: source) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        add(list: lines.map(PercentEncoding.text(ofURL:)).joined(separator: "\n"), source: source)
    }

    /// Adds the URLs of a file, or of standard input for `-`.
    ///
    /// - Throws: ``ClientError`` if it can't be read.
    mutating func add(file: String) throws(ClientError) {
        let source = file == "-" ? "standard input" : file
        var encoding: ListEncoding?
        let bytes = try TextFile.bytes(file, what: "The list") { (beginning) throws(ClientError) in
            encoding = ListEncoding(beginning: beginning)
            guard encoding != nil else { throw Self.noList(source) }
        }
        guard let encoding else { throw Self.noList(source) }
        add(bytes: encoding.plain(bytes), source: source)
    }

    private static func noList(_ source: String) -> ClientError {
        .usage(
            """
            \(source.safeForTerminal) is no list: it has bytes that no text has. A list is a text with a URL on \
            each line. Nothing was added.
            """
        )
    }

    /// Returns an explanation of a refused batch, in which each bad item is named by its place.
    ///
    /// - Parameter outcome: What became of the list, as a sentence.
    func explain(_ refused: RefusedItems, outcome: String = ItemList.nothingAdded) -> ClientError {
        var sentences = refused.items.prefix(20).map { error in
            guard items.indices.contains(error.index) else {
                return "item \(error.index + 1) is refused: \(error.reason.safeForTerminal.endedSentence)"
            }
            let item = items[error.index]
            return """
                \(item.place.safeForTerminal), "\(item.url.safeForTerminal)", is refused: \
                \(error.reason.safeForTerminal.endedSentence)
                """
        }
        if refused.items.count > 20 { sentences.append("\(refused.items.count - 20) more are refused.") }
        let isAll = items.count == 1 && outcome == Self.nothingAdded
        return .usage(sentences.joined(separator: "\n") + (isAll ? "" : " " + outcome))
    }
}

extension String {
    /// The lines, with empty ones.
    fileprivate var lines: [Substring] {
        // Almost every list is of ASCII with line feeds, and then a byte is a character.
        guard utf8.allSatisfy({ $0 < 0x80 && !(0x0B...0x0D ~= $0) }) else {
            return split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        }
        return utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
    }
}

extension Substring {
    /// The text before a comment; a `#` that follows other characters belongs to the URL.
    fileprivate var withoutComment: Substring {
        // A fast path for almost every line.
        guard utf8.contains(UInt8(ascii: "#")) else { return self }
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
        guard utf8.contains(UInt8(ascii: "\"")), let first = firstIndex(where: { !$0.isWhitespace }),
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
        guard utf8.contains(UInt8(ascii: "\t")), let first = firstIndex(where: { !$0.isWhitespace }),
            let tab = self[first...].firstIndex(of: "\t")
        else { return (self, nil) }
        let name = self[tab...].trimmed
        // Tabs at the end of a line are nothing but that.
        return name.isEmpty ? (self, nil) : (self[..<tab], name)
    }

    fileprivate var trimmed: String {
        // Nothing has to be taken off, as a rule.
        if let first = utf8.first, let last = utf8.last, 0x21...0x7E ~= first, 0x21...0x7E ~= last {
            return String(self)
        }
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
