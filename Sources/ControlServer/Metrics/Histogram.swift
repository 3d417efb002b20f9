/// How often something took how long.
struct Histogram: Sendable {
    /// Upper bounds of the buckets, in seconds, ascending; what is above the last is in none.
    let bounds: [Double]
    /// How many fell into each bucket, and into no bucket below it.
    private(set) var counts: [Int]
    /// How many there were.
    private(set) var count = 0
    /// How long all of them took, in seconds.
    private(set) var sum = 0.0

    /// Nothing counted yet.
    init(bounds: [Double]) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count)
    }

    /// Counts one.
    mutating func observe(_ seconds: Double) {
        let seconds = max(0, seconds)
        count += 1
        sum += seconds
        if let place = bounds.firstIndex(where: { seconds <= $0 }) { counts[place] += 1 }
    }

    /// From a millisecond to ten seconds, for answers.
    static let answers = Histogram(
        bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    )
    /// From a hundredth of a second to an hour, for work.
    static let work = Histogram(
        bounds: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600]
    )
}
