/// The waits that servers ask for (Retry-After).
public enum AskedWait {
    /// The shortest and the longest wait, in seconds, that is honoured.
    public static let honoured: ClosedRange<Double> = 1...3600

    /// Returns the seconds that a server asked for, within ``honoured``.
    public static func limited(_ asked: Double) -> Double {
        min(max(asked, honoured.lowerBound), honoured.upperBound)
    }
}
