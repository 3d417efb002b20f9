/// The most requests that may be begun at one host in a length of time.
public struct Pace: Hashable, Sendable {
    /// The number of requests, at least 1.
    public let requests: Int
    /// The length of time for which the number holds, in seconds, at least 1.
    public let seconds: Int

    /// Creates a pace of so many requests each so many seconds; both are raised to 1 if they are lower.
    public init(requests: Int, per seconds: Int) {
        self.requests = max(1, requests)
        self.seconds = max(1, seconds)
    }
}
