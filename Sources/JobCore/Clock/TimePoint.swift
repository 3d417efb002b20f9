/// A reading of one clock, in microseconds; the clock is in the type, so that no two are mixed up.
public protocol TimePoint: Hashable, Comparable, Sendable {
    /// Microseconds since the clock's own beginning.
    var microseconds: Int64 { get }

    /// A reading, by its microseconds.
    init(microseconds: Int64)
}

extension TimePoint {
    /// Seconds from another reading to this one; negative when this is earlier.
    public func seconds(since other: Self) -> Double {
        // Readings from a damaged store may lie at both ends of all time.
        let (difference, overflow) = microseconds.subtractingReportingOverflow(other.microseconds)
        return overflow ? Double(microseconds) / 1_000_000 : Double(difference) / 1_000_000
    }

    /// The reading this many seconds later.
    public func adding(seconds: Double) -> Self {
        Self(microseconds: microseconds.addingClamped(Int64(clamping: seconds * 1_000_000)))
    }

    /// Earlier readings come first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.microseconds < rhs.microseconds }
}

extension Int64 {
    /// The nearest integer, or the nearest there is.
    fileprivate init(clamping number: Double) {
        self = Int64(exactly: number.rounded()) ?? (number < 0 ? .min : .max)
    }

    /// The sum, or the nearest there is.
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
