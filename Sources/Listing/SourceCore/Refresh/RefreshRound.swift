/// A round of asking whether the pictures of a source have changed: each of them once.
///
/// They are gone through in the order of their hashes, so that the place is all that has to be stored, and
/// the picture that is next is the one asked about the longest ago. Moments are seconds of the steady clock.
public struct RefreshRound: Hashable, Sendable, Codable {
    /// The place of an item among all of a source: the halves of its hash.
    public struct Place: Hashable, Sendable, Codable {
        /// The first half.
        public var high: UInt64
        /// The second half.
        public var low: UInt64

        /// A place.
        public init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
    }

    /// Counts of answers by their meaning.
    public struct Counts: Hashable, Sendable, Codable {
        /// The number of pictures asked about.
        public var asked = 0
        /// The number of those of which there was another version.
        public var changed = 0
        /// The number of those that the server no longer has.
        public var gone = 0
        /// The number of those about which it didn't say anything, or couldn't be asked.
        public var unanswered = 0

        /// Creates counts of nothing.
        public init() {}

        static func + (lhs: Counts, rhs: Counts) -> Counts {
            var sum = lhs
            sum.asked += rhs.asked
            sum.changed += rhs.changed
            sum.gone += rhs.gone
            sum.unanswered += rhs.unanswered
            return sum
        }
    }

    private struct Planned: Hashable, Codable {
        var walk: Int
        var at: Double
    }

    /// The walk with which it began.
    public private(set) var walk: Int
    /// The time of its beginning: pictures fetched or asked about since aren't asked about again.
    public private(set) var began: Double
    /// The item that was passed last; nil at the beginning.
    public private(set) var place: Place?
    /// True if all items were passed.
    public private(set) var isComplete = false
    /// Counts of the answers so far.
    public private(set) var counts = Counts()
    /// The last failure, as a sentence; nil if there was none.
    public private(set) var trouble: String?
    /// The round that follows, if a walk has begun meanwhile.
    private var next: Planned?
    /// The number of times in a row that the server couldn't be asked, and the end of the pause that follows
    /// from it.
    private var failures = 0
    private var restsUntil: Double?

    /// The seconds for which servers are left alone that can't be asked, the first time and at the most.
    static let rests: ClosedRange<Double> = 60...3600

    /// Begins the round that goes with a walk.
    init(walk: Int, now: Double) { (self.walk, began) = (walk, now) }

    /// The next step of the round.
    enum Step: Hashable { case ask, rest(until: Double) }

    /// Returns what is done next, where the latest walk is this one.
    mutating func step(walk latest: Int, now: Double) -> Step? {
        if latest > max(walk, next?.walk ?? 0) { next = Planned(walk: latest, at: now) }
        if isComplete, let planned = next { begin(planned) }
        guard !isComplete else { return nil }
        if let until = restsUntil, until > now { return .rest(until: until) }
        return .ask
    }

    private mutating func begin(_ planned: Planned) {
        let (failures, restsUntil) = (failures, restsUntil)
        self = RefreshRound(walk: planned.walk, now: planned.at)
        (self.failures, self.restsUntil) = (failures, restsUntil)
    }

    /// Records the round's progress.
    mutating func passed(_ report: RefreshReport, now: Double) {
        place = report.place ?? place
        isComplete = report.isAtEnd
        counts = counts + report.counts
        trouble = report.trouble ?? trouble
        if report.couldNotAsk {
            let doubled = Self.rests.doubled(times: failures)
            let rest = min(max(doubled, report.retryAfter ?? 0), Self.rests.upperBound)
            failures += 1
            restsUntil = now + rest
        } else if report.counts.asked > 0 {
            (failures, restsUntil) = (0, nil)
        }
    }

    /// The same with numbers that counting and clocks can bring, at the start of a run.
    func limited(walks: Int, now: Double) -> RefreshRound {
        var round = self
        round.walk = min(walk.asCount, walks)
        round.began = min(began.asMoment, now)
        round.next = next.map { Planned(walk: min($0.walk.asCount, walks), at: min($0.at.asMoment, now)) }
        round.counts.asked = counts.asked.asCount
        round.counts.changed = counts.changed.asCount
        round.counts.gone = counts.gone.asCount
        round.counts.unanswered = counts.unanswered.asCount
        round.failures = min(max(0, failures), 100)
        round.restsUntil = restsUntil.map { min($0.asMoment, now + Self.rests.upperBound) }
        return round
    }
}

/// The result of asking about some pictures.
public struct RefreshReport: Hashable, Sendable {
    /// The last item that was passed, asked about or not; nil where there was none.
    public var place: RefreshRound.Place?
    /// True if no item comes after that.
    public var isAtEnd = false
    /// Counts of the answers.
    public var counts = RefreshRound.Counts()
    /// The last failure, as a sentence; nil if there was none.
    public var trouble: String?
    /// True if the server was left alone because it couldn't be asked, or wants no requests for now.
    public var couldNotAsk = false
    /// The seconds for which it wants that; nil if it didn't say.
    public var retryAfter: Double?

    /// Creates a report of nothing.
    public init() {}
}
