/// The speed of a body that comes in one stream, watched to find out whether several would be much faster; times are in
/// milliseconds.
struct BodySpeed: Hashable, Sendable {
    /// The time between two looks, which is long beside most round trips.
    static let interval: Int64 = 500
    /// The time after which a look says nothing of what is now.
    private static let longest = 3 * interval
    /// The time that one stream may take for what is left.
    ///
    /// Others take a second to begin: the disk and the store get a map, and each has a connection to make.
    static let longestRest: Int64 = 5000
    /// The growth from one look to the next above which a connection is still in slow start (RFC 5681, section 3.1),
    /// and says nothing yet of its speed.
    private static let growth = 1.5

    /// The time that its answer took to come.
    let answerTime: Int64
    private var lookedAt: Int64
    private var count: Int64
    /// The bytes per millisecond between the last two looks; nil before the second.
    private var rate: Double?

    /// Starts to watch a body of which `count` bytes are there.
    init(count: Int64, answerTime: Int64, now: Int64) {
        (self.answerTime, self.count, lookedAt) = (answerTime, count, now)
    }

    /// Returns whether what is left of a body would take long at the speed at which it comes.
    mutating func isSlow(at count: Int64, of total: Int64, now: Int64) -> Bool {
        let time = now - lookedAt
        guard time >= Self.interval else { return false }
        // After a long time without looks, what came before is of another time.
        let (current, last) = (Double(count - self.count) / Double(time), time <= Self.longest ? rate : nil)
        (lookedAt, self.count, rate) = (now, count, time <= Self.longest ? current : nil)
        guard let last, current <= last * Self.growth else { return false }
        return Double(total - count) > max(current, last) * Double(Self.longestRest)
    }
}
