/// The spread of several runs of the same.
struct Spread {
    private let sorted: [Double]

    /// At least one value.
    init(_ values: [Double]) { sorted = values.sorted() }

    var least: Double { sorted.first ?? .nan }
    var most: Double { sorted.last ?? .nan }

    /// The middle one, or the mean of the two in the middle.
    var median: Double {
        guard !sorted.isEmpty else { return .nan }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// The value that so much of them is not above: 0.99 for the 99th percentile.
    func quantile(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }
}
