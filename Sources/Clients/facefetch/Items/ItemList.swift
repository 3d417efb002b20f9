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
            guard let line = URLLine(line) else { continue }
            // What is too long is refused as it is: it may be more than it looks like.
            let url = line.given.utf8.count > JobURL.maximumLength ? String(line.given) : line.url
            items.append(Item(url: url, place: "\(source) line \(index + 1)", name: line.name))
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

    /// Returns the list with what its patterns stand for in their places.
    ///
    /// - Throws: ``ClientError`` for patterns that can't be used, and for a name that many documents would have.
    func expanded() throws(ClientError) -> ItemList {
        var list = ItemList()
        for item in items {
            let place = "\(item.place.safeForTerminal), \"\(item.url.safeForTerminal)\","
            let pattern: URLPattern?
            do throws(URLPattern.Wrong) { pattern = try URLPattern(item.url) } catch {
                throw .usage("\(place) \(error.words). Nothing was added.")
            }
            guard let pattern else {
                list.items.append(item)
                continue
            }
            guard item.name == nil || pattern.count == 1 else {
                throw .usage(
                    "\(place) stands for \(Quantities.count(pattern.count, "file")) of one name. \(Self.nothingAdded)"
                )
            }
            list.items += pattern.urls.map { Item(url: $0, place: item.place, name: item.name) }
        }
        return list
    }

    /// Takes out the patterns, which nobody has asked to expand, and returns them with the reasons.
    mutating func takePatterns() -> [(item: Item, reason: String)] {
        var taken: [(item: Item, reason: String)] = []
        items.removeAll { item in
            do throws(URLPattern.Wrong) {
                guard let pattern = try URLPattern(item.url) else { return false }
                let count = Quantities.count(pattern.count, "URL")
                taken.append((item, "it is a pattern of \(count): add it with --expand. \(Self.encodings)"))
            } catch {
                taken.append((item, "it is a pattern, which \(error.words). \(Self.encodings)"))
            }
            return true
        }
        return taken
    }

    private static let encodings = "A bracket in a name is written %5B, and a brace %7B"

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
