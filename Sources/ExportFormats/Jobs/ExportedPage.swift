/// A page of jobs as the control socket answers it, read for an export.
public struct ExportedPage: Sendable {
    /// A job, and where it stands in the page's text.
    public struct Item: Sendable {
        /// The job.
        public var job: ExportedJob
        /// Where its object begins and ends.
        public var place: Range<Int>
    }

    /// The text.
    public let bytes: [UInt8]
    /// The jobs, in the page's order.
    public private(set) var items: [Item] = []
    /// How many jobs there are on all pages.
    public private(set) var total = 0
    /// Whether more pages follow.
    public private(set) var hasMore = false
    /// What goes into `after` to get the next page.
    public private(set) var next: String?
    /// The oldest ending that is still known, where the daemon says so.
    public private(set) var oldest: Int64?
    /// The number of what ended last, of all jobs, where the daemon says so.
    public private(set) var newest: Int64?

    /// Reads a page.
    ///
    /// - Throws: ``NoJob`` where it is none.
    public init(_ bytes: [UInt8]) throws(NoJob) {
        self.bytes = bytes
        var scanner = JSONScanner(bytes, in: bytes.indices)
        var items: [Item] = []
        var (total, hasMore, next) = (Int64(0), false, String?.none)
        var (oldest, newest) = (Int64?.none, Int64?.none)
        try scanner.object { (scanner, key) throws(NoJob) in
            if key.spells("items") {
                try scanner.array { (scanner) throws(NoJob) in
                    let start = scanner.position
                    let job = try ExportedJob(&scanner)
                    items.append(Item(job: job, place: start..<scanner.position))
                }
            } else if key.spells("total") {
                total = try scanner.integer()
            } else if key.spells("has_more") {
                hasMore = bytes[try scanner.skip()].spells("true")
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
        (self.items, self.hasMore, self.next) = (items, hasMore, next)
        (self.oldest, self.newest) = (oldest, newest)
        self.total = Int(clamping: total)
    }
}

extension ArraySlice<UInt8> {
    /// Whether these are the bytes of a word.
    func spells(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[startIndex + index] != word.utf8Start[index] { return false }
        return true
    }
}
