/// A budget of bytes that fills with time; milliseconds come in as arguments.
struct RateBucket {
    /// Bytes a second.
    let rate: Int64
    private var level: Double
    private var filledAt: Int64

    init(rate: Int64, now: Int64) {
        self.rate = max(rate, 1)
        level = 0
        filledAt = now
    }

    /// Whether bytes may be taken.
    ///
    /// One chunk may overdraw; the next waits for it.
    var hasBytes: Bool { level > 0 }

    /// Takes bytes out.
    mutating func take(_ count: Int) { level -= Double(count) }

    /// Fills up to the moment; never more than a tenth of a second's worth, so
    /// that a pause isn't followed by a burst.
    mutating func fill(now: Int64) {
        level = min(level + Double(rate) * Double(now - filledAt) / 1000, Double(rate) / 10)
        filledAt = now
    }
}
