import JobModel

extension PageAnswer {
    /// A number of seconds above which a reset is a moment since 1970, as GitHub gives it, rather than a duration:
    /// ten years.
    private static let longestDuration = 315_360_000.0

    /// Seconds after which the server answers again, where it says that this client has no requests left; nil where
    /// it doesn't say so.
    ///
    /// The fields are those of GitHub (`X-RateLimit-Remaining`, `X-RateLimit-Reset`), with or without `X-`.
    public func rateLimit(now: Timestamp) -> Double? {
        for prefix in ["x-ratelimit-", "ratelimit-", "x-rate-limit-"] {
            guard let left = number(prefix + "remaining"), left <= 0 else { continue }
            guard let reset = number(prefix + "reset") else { return 0 }
            let seconds = Double(now.microseconds) / 1_000_000
            return max(0, reset > Self.longestDuration ? reset - seconds : reset)
        }
        return nil
    }

    private func number(_ name: String) -> Double? {
        values(name).first.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
}
