/// Goes through items of a source for one batch of a round: which of them are asked about, and when it is
/// enough.
public struct RefreshBatch: Hashable, Sendable {
    /// An item as far as that says whether its picture is asked about.
    public struct Item: Hashable, Sendable {
        /// Its place in the round.
        public var place: RefreshRound.Place
        /// True if its picture was fetched, and nobody but the daemon itself has removed it.
        public var hasDocument: Bool
        /// True if the source says what bytes it must have, so that there is no other version.
        public var isFixed: Bool
        /// The time when it was fetched or last asked about; nil if that isn't known.
        public var lastAsked: Double?

        public init(place: RefreshRound.Place, hasDocument: Bool, isFixed: Bool, lastAsked: Double?) {
            (self.place, self.hasDocument) = (place, hasDocument)
            (self.isFixed, self.lastAsked) = (isFixed, lastAsked)
        }
    }

    /// The result of asking about a picture.
    public enum Outcome: Hashable, Sendable {
        /// The server's answer.
        case answered(RefreshVerdict)
        /// It couldn't be asked, as the sentence says.
        case unreachable(String)
        /// The request can't be made, as the sentence says.
        case impossible(String)
    }

    /// The most pictures asked about in one batch.
    public static let mostAsked = 32
    /// The most items passed in one batch.
    public static let mostPassed = 10_000
    /// The number of pictures in a row that can't be asked about before the server is left alone.
    static let mostUnreachable = 3

    /// The report of what was done so far.
    public private(set) var report = RefreshReport()
    private let since: Double
    private var passed = 0
    private var unreachable = 0

    /// Begins a batch of a round that began at a moment.
    public init(since: Double) { self.since = since }

    /// True if there has been enough for one batch.
    public var isFull: Bool {
        report.couldNotAsk || report.counts.asked >= Self.mostAsked || passed >= Self.mostPassed
    }

    /// Passes an item, and returns whether its picture is to be asked about.
    public mutating func pass(_ item: Item) -> Bool {
        passed += 1
        report.place = item.place
        return item.hasDocument && !item.isFixed && (item.lastAsked ?? -.infinity) < since
    }

    /// Records that no item is left.
    public mutating func reachedEnd() { report.isAtEnd = true }

    /// Records the result of asking about the item passed last; `name` is its name for people.
    public mutating func record(_ outcome: Outcome, of name: String) {
        report.counts.asked += 1
        switch outcome {
        case .answered(.unchanged): unreachable = 0
        case .answered(.changed):
            unreachable = 0
            report.counts.changed += 1
        case .answered(.gone(let status)):
            unreachable = 0
            report.counts.gone += 1
            report.trouble = "\(name) is no longer there (\(status)); its document stays"
        case .answered(.refused(let status)):
            // A server in trouble is as good as none.
            unreachable = status >= 500 ? unreachable + 1 : 0
            report.couldNotAsk = unreachable >= Self.mostUnreachable
            report.counts.unanswered += 1
            report.trouble = "the server answers \(status) for \(name), which says nothing about the picture"
        case .answered(.busy(let status, let retryAfter)):
            report.counts.unanswered += 1
            report.trouble = "the server answers \(status) for \(name), and is left alone for a while"
            report.couldNotAsk = true
            report.retryAfter = retryAfter
        case .unreachable(let words):
            report.counts.unanswered += 1
            report.trouble = "\(name): \(words)"
            unreachable += 1
            if unreachable >= Self.mostUnreachable { report.couldNotAsk = true }
        case .impossible(let words):
            report.counts.unanswered += 1
            report.trouble = "\(name): \(words)"
        }
    }
}
