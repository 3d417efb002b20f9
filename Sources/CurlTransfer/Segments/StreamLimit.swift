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

    /// Allows no more than one for good, because the server answers ranges strangely.
    mutating func fallBack() { (count, highest) = (1, 1) }
}
