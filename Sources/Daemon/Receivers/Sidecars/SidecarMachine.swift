import ExportFormats

/// Decides which sidecar is written next, and when.
///
/// It has no side effects; time is in seconds of any steady clock. Results are taken in the order in which
/// they came, and each is dealt with before ``cursor`` passes it, so after a kill it is dealt with again.
struct SidecarMachine: Hashable, Sendable {
    /// The number of results that are dealt with before the cursor is kept.
    static let pageSize = 100
    /// The seconds from one try of what failed to the next.
    static let pauses = 1.0...60.0

    /// The next step.
    enum Step: Hashable, Sendable {
        /// Read the number that was kept.
        case load
        /// Read what came after this number; nil reads only the latest number.
        case read(after: Int64?)
        /// Put this sidecar into its place.
        case put(SidecarItem)
        /// Sync the folders, and then keep this number.
        case keep(Int64)
        /// Wait for this many seconds, or until there is news.
        case wait(seconds: Double)
        /// Wait until there is news.
        case rest
    }

    /// True if sidecars are written.
    private(set) var isOn = false
    /// Everything up to this number is dealt with; nil until it is known where to begin.
    private(set) var cursor: Int64?
    private var isLoaded = false
    private var waiting: ArraySlice<SidecarItem> = []
    private var isKept = true
    private var isReading = false
    private var mayHaveMore = false
    private var failures = 0
    private var due = -Double.infinity

    /// Switches sidecars on.
    mutating func begin() {
        guard !isOn else { return }
        (isOn, mayHaveMore, due) = (true, true, -.infinity)
    }

    /// Continues from the number that was kept, or begins with what comes from now on.
    mutating func loaded(_ kept: Int64?) {
        guard isOn else { return }
        (isLoaded, cursor, isKept, failures) = (true, kept, true, 0)
    }

    /// Tries what was put off at once, since somebody may have seen to it.
    mutating func goOn() { (failures, due) = (0, -.infinity) }

    /// Switches sidecars off.
    mutating func end() { self = SidecarMachine(isReading: isReading) }

    init(isReading: Bool = false) { self.isReading = isReading }

    /// Notes that a document may have been looked at.
    mutating func somethingEnded() { mayHaveMore = isOn }

    /// Returns the next step; a read is under way from then on.
    mutating func next(now: Double) -> Step {
        guard isOn else { return .rest }
        guard now >= due else { return .wait(seconds: due - now) }
        guard isLoaded else { return .load }
        if let item = waiting.first { return .put(item) }
        if !isKept, let cursor { return .keep(cursor) }
        guard mayHaveMore, !isReading else { return .rest }
        // Whatever ends from now on is news again.
        (isReading, mayHaveMore) = (true, false)
        return .read(after: cursor)
    }

    /// Accepts what was read; nil if it could not be.
    mutating func read(_ page: FollowedPage<SidecarItem>?, now: Double) {
        isReading = false
        guard isOn, isLoaded else { return mayHaveMore = isOn }
        guard let page else {
            mayHaveMore = true
            return putOff(now: now)
        }
        failures = 0
        guard let cursor, page.newest >= cursor else {
            // The first time it begins with what comes next; in another store, whose numbers begin anew,
            // with the oldest.
            self.cursor = self.cursor == nil ? page.newest : 0
            (isKept, mayHaveMore) = (false, true)
            return
        }
        waiting = page.items.filter { $0.number > cursor }[...]
        if page.hasMore { mayHaveMore = true }
    }

    /// Notes that the sidecar of the next document is dealt with.
    mutating func dealt() {
        guard let item = waiting.popFirst() else { return }
        cursor = item.number
        (isKept, failures) = (false, 0)
    }

    /// Notes that the number was kept.
    mutating func kept(_ number: Int64) {
        if number == cursor { isKept = true }
        failures = 0
    }

    /// Notes that something failed that may succeed later.
    mutating func putOff(now: Double) {
        due = now + Self.pauses.doubled(times: failures)
        failures += 1
    }
}

/// A document that was looked at, and the number of that ending.
public struct SidecarItem: Hashable, Sendable {
    /// The number of the ending.
    public var number: Int64
    /// The job; nil if it has moved on since, and will be listed again.
    public var job: ExportedJob?

    /// Creates an ending with the job as it is now.
    public init(number: Int64, job: ExportedJob?) {
        self.number = number
        self.job = job
    }
}
