/// A token bucket for bytes, which fills with time; the time in milliseconds is passed in.
struct RateBucket {
    /// The rate in bytes per second.
    let rate: Int64
    private var level: Double
    private var filledAt: Int64

    init(rate: Int64, now: Int64) {
        self.rate = max(rate, 1)
        level = 0
        filledAt = now
    }

    /// True if any bytes may be spent.
    ///
    /// One chunk may overdraw the bucket, for which the next one waits.
    var hasBytes: Bool { level > 0 }

    /// Spends bytes of the bucket.
    mutating func spend(_ count: Int) { level -= Double(count) }

    /// Fills the bucket up to the current time, but with no more than a tenth of a second's worth, so
    /// that no burst follows a pause.
    mutating func fill(now: Int64) {
        level = min(level + Double(rate) * Double(now - filledAt) / 1000, Double(rate) / 10)
        filledAt = now
    }
}
