import FoundationEssentials

/// A moment of wall-clock time, in microseconds since 1970-01-01T00:00:00Z.
///
/// JobCore has no clock: every moment comes in as an argument. Wall-clock
/// time, because a batch's clock goes on while the daemon is not running.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch.
    public var microseconds: Int64

    /// A moment, by its microseconds since the Unix epoch.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Seconds from another moment to this one; negative when this is earlier.
    public func seconds(since other: Timestamp) -> Double {
        Double(microseconds - other.microseconds) / 1_000_000
    }

    /// The moment this many seconds later.
    public func adding(seconds: Double) -> Timestamp {
        Timestamp(microseconds: microseconds + Int64((seconds * 1_000_000).rounded()))
    }

    /// RFC 3339 with milliseconds, in UTC: `2026-11-21T06:45:03.611Z`.
    public var rfc3339: String {
        // Cut off, not rounded: a moment must never read as one in the future.
        let milliseconds = microseconds / 1000
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000 + 0.000_1)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Earlier moments come first.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.microseconds < rhs.microseconds }
}
