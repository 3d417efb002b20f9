import Vocabulary

/// A limit on the number of requests in any window of time.
public struct Pace: Hashable, Sendable {
    /// The number of requests.
    public var count: Int
    /// The length of the window in seconds.
    public var window: Double

    /// The allowed numbers of requests.
    static let bounds = 1...10_000
    /// The allowed windows in seconds: a month at most.
    private static let windows = 1...31 * 86_400.0

    /// Parses a pace such as `30/h`, `2/s` or `100/15m`.
    init?(_ text: String) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, let count = Int(halves[0].filter { $0 != " " }), Self.bounds.contains(count)
        else {
            return nil
        }
        let unit = halves[1].filter { $0 != " " }
        let text = unit.first.map { $0.isNumber || $0 == "." } == true ? unit : "1" + unit
        guard let window = DurationText.seconds(text, in: Self.windows, bare: nil, mayBeCapital: false) else {
            return nil
        }
        self.count = count
        self.window = window
    }

    /// Returns the earliest time of the next request.
    ///
    /// - Parameters:
    ///   - requests: the times of earlier requests, ascending, of which the last ``count`` matter.
    ///   - now: the current time on the same clock in seconds.
    public func earliest(after requests: [Double], now: Double) -> Double {
        guard requests.count >= count else { return now }
        return max(now, requests[requests.count - count] + window)
    }
}
