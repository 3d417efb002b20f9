import Vocabulary

/// The most requests for pages of a source in any window of time, which may be a month.
///
/// That of hosts (`Pace`) spreads requests out instead, and counts those for files.
public struct SourcePace: Hashable, Sendable {
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
        guard let (count, window) = Pace.parts(of: text, mayBeCapital: false), Self.bounds.contains(count),
            Self.windows.contains(window)
        else { return nil }
        (self.count, self.window) = (count, window)
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
