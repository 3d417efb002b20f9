/// A reading of one clock in microseconds.
///
/// Each clock has its own type, so that readings of two can't be mixed up.
public protocol TimePoint: Hashable, Comparable, Sendable {
    /// The microseconds since the clock's epoch.
    var microseconds: Int64 { get }

    init(microseconds: Int64)
}

extension TimePoint {
    /// Creates a reading from one that was stored, limited to the years that can be written, 0000 to 9999.
    public init(stored microseconds: Int64) {
        let years: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999
        self.init(microseconds: min(max(microseconds, years.lowerBound), years.upperBound))
    }

    /// Returns the seconds from another reading to this one; negative if this is earlier.
    public func seconds(since other: Self) -> Double {
        // Readings from a damaged store may be at opposite ends of the range.
        let (difference, overflow) = microseconds.subtractingReportingOverflow(other.microseconds)
        return overflow ? Double(microseconds) / 1_000_000 : Double(difference) / 1_000_000
    }

    /// Returns the reading this many seconds later.
    public func adding(seconds: Double) -> Self {
        Self(microseconds: microseconds.addingClamped(Int64(clamping: seconds * 1_000_000)))
    }

    /// Orders earlier readings first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.microseconds < rhs.microseconds }
}

extension Int64 {
    /// Creates the nearest integer, clamped to the range.
    fileprivate init(clamping number: Double) {
        self = Int64(exactly: number.rounded()) ?? (number < 0 ? .min : .max)
    }

    /// Returns the sum, clamped to the range.
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
