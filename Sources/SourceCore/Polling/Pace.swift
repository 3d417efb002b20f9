/// The most requests in any window of time.
public struct Pace: Hashable, Sendable {
    /// How many.
    public var count: Int
    /// In how many seconds.
    public var window: Double

    /// At most 10,000 requests in at most a month.
    static let bounds = 1...10_000

    /// Reads `30/h`, `2/s`, `100/15m`.
    init?(_ text: String) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, let count = Int(halves[0].filter { $0 != " " }), Self.bounds.contains(count)
        else {
            return nil
        }
        let unit = halves[1].filter { $0 != " " }
        let window =
            unit.first?.isNumber == true ? Quantity.seconds(String(unit)) : Quantity.seconds("1" + unit)
        guard let window, window >= 1, window <= 31 * 86_400 else { return nil }
        self.count = count
        self.window = window
    }

    /// The earliest moment of the next request.
    ///
    /// - Parameters:
    ///   - requests: moments of earlier requests, ascending; of those, the last ``count`` matter.
    ///   - now: the present moment on the same clock, in seconds.
    public func earliest(after requests: [Double], now: Double) -> Double {
        guard requests.count >= count else { return now }
        return max(now, requests[requests.count - count] + window)
    }
}
