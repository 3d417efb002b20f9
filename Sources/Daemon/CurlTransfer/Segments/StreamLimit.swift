/// The most streams that may fetch a file at once: one less for each that is lost, and one more again where all goes well.
struct StreamLimit: Hashable, Sendable {
    /// The bytes after which, no stream having been lost, there may be one more again.
    static let recovery: Int64 = 256 << 20

    /// The most streams at once, at least 1.
    private(set) var count: Int
    /// What the count may become again.
    private var highest: Int
    /// The bytes that have arrived since the count was changed.
    private var steadyBytes: Int64 = 0
    /// The times at which one more may begin again, in milliseconds.
    private var rests: [Int64] = []
    /// The milliseconds of the next rest.
    private var nextRest: Int64 = 1000

    /// The milliseconds of the longest rest.
    static let longestRest: Int64 = 60_000

    init(_ count: Int) {
        self.count = max(1, count)
        highest = self.count
    }

    /// Notes that bytes have arrived.
    mutating func received(_ bytes: Int64) {
        guard count < highest else { return }
        steadyBytes += bytes
        if steadyBytes >= Self.recovery { (count, steadyBytes) = (count + 1, 0) }
    }

    /// Takes one off for some time, because the server didn't sustain them all.
    mutating func reduce() { (count, steadyBytes) = (max(1, count - 1), 0) }

    /// Takes one off for so many seconds, or for twice as long each time where the server doesn't say.
    mutating func rest(for seconds: Double?, now: Int64) {
        let asked = seconds.map { Int64(min(max($0, 0), Double(Self.longestRest) / 1000) * 1000) }
        if count > 1 { rests.append(now + max(asked ?? nextRest, 1)) }
        nextRest = min(2 * nextRest, Self.longestRest)
        reduce()
    }

    /// Allows those again whose time has come; returns whether there are any.
    mutating func endRests(now: Int64) -> Bool {
        guard rests.contains(where: { $0 <= now }) else { return false }
        let before = rests.count
        rests.removeAll { $0 <= now }
        count = min(highest, count + before - rests.count)
        return true
    }

    /// Allows no more than one for good, because the server answers ranges strangely.
    mutating func fallBack() { (count, highest, rests) = (1, 1, []) }
}
