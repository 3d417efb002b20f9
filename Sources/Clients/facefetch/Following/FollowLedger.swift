/// A ledger of the endings that were accepted, and of those that are still to be dealt with.
///
/// It decides and does nothing itself: time comes in as seconds of any steady clock.
struct FollowLedger: Hashable, Sendable {
    /// The most endings that may wait or be under way; no more are accepted until there is room.
    ///
    /// Those that merely wait for their turn are a few hundred: the rest is for what is to be tried again.
    static let maximumOpen = 10_000
    /// The seconds from one try of something to the next.
    static let pauses = 1.0...3600.0

    /// Everything up to this number has been taken: it is dealt with, or among the open ones.
    private(set) var through: Int64
    private var open: [Int64: Entry]

    private struct Entry: Hashable, Sendable {
        var tries = 0
        /// The time when it may begin; nil while it is under way.
        var due: Double?
    }

    /// A ledger at a number, with what was open when it was written down.
    init(through: Int64, open: some Sequence<Int64> = []) {
        self.through = through
        self.open = Dictionary(open.map { ($0, Entry(due: 0)) }) { first, _ in first }
    }

    /// The number of endings that there is room for.
    var room: Int { max(0, Self.maximumOpen - open.count) }

    /// The number of endings that aren't dealt with.
    var openCount: Int { open.count }

    /// The numbers that aren't dealt with, in order.
    var openNumbers: [Int64] { open.keys.sorted() }

    /// True if nothing waits and nothing is under way.
    var isEmpty: Bool { open.isEmpty }

    /// Accepts the next ending; one that was accepted before stays what it is.
    mutating func accept(_ number: Int64, now: Double) {
        guard number > through else { return }
        through = number
        open[number] = Entry(due: now)
    }

    /// Nothing is to be taken up to this number; returns whether that wasn't known.
    ///
    /// Otherwise the forgetting of endings that nobody asked for would look like a gap.
    mutating func pass(_ number: Int64) -> Bool {
        guard number > through else { return false }
        through = number
        return true
    }

    /// The next ending to begin with: of those that are due the lowest.
    func next(now: Double) -> Int64? {
        var lowest: Int64?
        for (number, entry) in open {
            guard let due = entry.due, due <= now, number < lowest ?? .max else { continue }
            lowest = number
        }
        return lowest
    }

    /// Seconds until something is due; nil if nothing waits.
    func pause(now: Double) -> Double? {
        open.values.lazy.compactMap(\.due).min().map { max(0, $0 - now) }
    }

    /// It is under way now.
    mutating func begin(_ number: Int64) {
        guard open[number] != nil else { return }
        open[number]?.due = nil
        open[number]?.tries += 1
    }

    /// It is dealt with.
    mutating func settle(_ number: Int64) { open[number] = nil }

    /// It is to be tried again; in so many seconds.
    @discardableResult
    mutating func putOff(_ number: Int64, now: Double) -> Double {
        guard let entry = open[number] else { return 0 }
        let pause = Self.pauses.doubled(times: entry.tries - 1)
        open[number]?.due = now + pause
        return pause
    }

    /// It could not be begun for want of something that comes back by itself, such as the daemon.
    mutating func postpone(_ number: Int64, until due: Double) {
        guard let entry = open[number] else { return }
        open[number] = Entry(tries: max(0, entry.tries - 1), due: due)
    }
}
