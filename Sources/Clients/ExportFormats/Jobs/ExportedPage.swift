/// A page of jobs from the control socket, as read for an export.
public struct ExportedPage: Sendable {
    /// A job and its place in the page's text.
    public struct Item: Sendable {
        /// The job.
        public var job: ExportedJob
        /// The range of the job's JSON object in ``bytes``.
        public var place: Range<Int>
    }

    /// The page's JSON.
    public let bytes: [UInt8]
    /// The jobs, in the order of the page.
    public private(set) var items: [Item] = []
    /// The number of jobs on all pages; nil if nobody has counted them.
    public private(set) var total: Int?
    /// True if more pages follow.
    public private(set) var hasMore = false
    /// The value of `after` that gets the next page.
    public private(set) var next: String?
    /// The number up to which endings may have been forgotten; nil if the daemon doesn't say.
    public private(set) var oldest: Int64?
    /// The number of the latest ending of all; nil if the daemon doesn't say.
    public private(set) var newest: Int64?

    /// Returns the value of `next` in the text of a page without reading the jobs; nil if it isn't found so.
    ///
    /// It stands behind them, where no more brackets come.
    public static func next(in bytes: [UInt8]) -> String? {
        guard let end = bytes.lastIndex(of: UInt8(ascii: "]")) else { return nil }
        let rest = [UInt8(ascii: "{")] + bytes[(end + 1)...].drop { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
        var next: String?
        try? JSONScanner.read(rest, in: rest.indices) { (scanner) throws(NoJob) in
            try scanner.object { (scanner, key) throws(NoJob) in
                if key.spells("next") { next = try scanner.stringOrNull() } else { try scanner.skip() }
            }
        }
        return next
    }

    /// Reads a page.
    ///
    /// - Throws: ``NoJob`` if the text isn't one.
    public init(_ bytes: [UInt8]) throws(NoJob) {
        // Line ends are white space in JSON, and would end the lines that jobs are copied into.
        let bytes = Self.hasLineEnd(bytes) ? bytes.map { $0 == 0x0A ? 0x20 : $0 } : bytes
        self.bytes = bytes
        var (total, items) = (Int64?.none, [Item]())
        var (hasMore, next) = (false, String?.none)
        var (oldest, newest) = (Int64?.none, Int64?.none)
        try JSONScanner.read(bytes, in: bytes.indices) { (scanner) throws(NoJob) in
            try scanner.object { (scanner, key) throws(NoJob) in
                if key.spells("items") {
                    try scanner.array { (scanner) throws(NoJob) in
                        let start = scanner.position
                        let job = try ExportedJob(&scanner)
                        items.append(Item(job: job, place: start..<scanner.position))
                    }
                } else if key.spells("total") {
                    total = try scanner.integerOrNull()
                } else if key.spells("has_more") {
                    hasMore = scanner.bytes[try scanner.skip()].spells("true")
                } else if key.spells("next") {
                    next = try scanner.stringOrNull()
                } else if key.spells("oldest") {
                    oldest = try scanner.integerOrNull()
                } else if key.spells("newest") {
                    newest = try scanner.integerOrNull()
                } else {
                    try scanner.skip()
                }
            }
        }
        (self.items, self.hasMore, self.next) = (items, hasMore, next)
        (self.oldest, self.newest) = (oldest, newest)
        self.total = total.map { Int(clamping: $0) }
    }

    private static func hasLineEnd(_ bytes: [UInt8]) -> Bool {
        // Without a way out of the loop, the compiler looks at many bytes at once.
        var found: UInt8 = 0
        for byte in bytes { found |= byte == 0x0A ? 1 : 0 }
        return found != 0
    }
}

extension JSONScanner.Key {
    /// Returns whether the bytes spell a word; a difference ends nothing early, so that they are compared many at once.
    @inline(__always)
    func spells(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        var difference: UInt8 = 0
        for index in 0..<count { difference |= base[startIndex + index] ^ word.utf8Start[index] }
        return difference == 0
    }

    /// Returns whether the bytes spell a word, so that a key can be switched over.
    @inline(__always)
    static func ~= (word: StaticString, key: Self) -> Bool { key.spells(word) }
}

extension ExportedPage {
    /// Returns members of a job that no format needs, as the daemon has written them, in the order of their names
    /// here; nil for null, and for what isn't there.
    public func json(of names: [StaticString], in item: Item) throws(NoJob) -> [String?] {
        try JSONScanner.read(bytes, in: item.place) { (scanner) throws(NoJob) in
            var texts = [String?](repeating: nil, count: names.count)
            try scanner.object { (scanner, key) throws(NoJob) in
                guard let place = names.firstIndex(where: { key.spells($0) }) else {
                    try scanner.skip()
                    return
                }
                texts[place] = scanner.isNull() ? nil : scanner.text(of: try scanner.skip())
            }
            return texts
        }
    }
}
