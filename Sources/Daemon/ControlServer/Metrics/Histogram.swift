/// A histogram of durations.
struct Histogram: Sendable {
    /// The upper bounds of the buckets in seconds, ascending; longer durations are in no bucket.
    let bounds: [Double]
    /// The number of durations in each bucket, not counting those in lower ones.
    private(set) var counts: [Int]
    /// The number of all durations.
    private(set) var count = 0
    /// The sum of all durations in seconds.
    private(set) var sum = 0.0

    /// Creates an empty histogram.
    init(bounds: [Double]) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count)
    }

    /// Counts a duration.
    mutating func observe(_ seconds: Double) {
        let seconds = max(0, seconds)
        count += 1
        sum += seconds
        if let place = bounds.firstIndex(where: { seconds <= $0 }) { counts[place] += 1 }
    }

    /// An empty histogram for answers, from a millisecond to ten seconds.
    static let answers = Histogram(
        bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    )
    /// An empty histogram for work, from a hundredth of a second to an hour.
    static let work = Histogram(
        bounds: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600]
    )
}
