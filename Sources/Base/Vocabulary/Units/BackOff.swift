/// Back-off: waits in a range, from the shortest on, each twice as long as the one before.
extension ClosedRange<Double> {
    /// Returns the shortest wait in seconds, doubled so many times, but at most the longest.
    public func doubled(times: Int) -> Double {
        Swift.min(lowerBound * Double(1 << Swift.min(Swift.max(times, 0), 32)), upperBound)
    }
}

extension ClosedRange<Duration> {
    /// Returns the shortest wait, doubled so many times, but at most the longest.
    public func doubled(times: Int) -> Duration {
        Swift.min(lowerBound * (1 << Swift.min(Swift.max(times, 0), 32)), upperBound)
    }
}
