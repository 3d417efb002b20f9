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
    ///
    /// Written by hand, because every line of the log has one: Foundation's takes longer than
    /// the rest of the line. Years are those from 0000 to 9999.
    public var rfc3339: String {
        // Cut off, not rounded: a moment must never read as one in the future.
        let milliseconds = microseconds.floored(by: 1000)
        let days = milliseconds.floored(by: 86_400_000)
        let date = CivilDate(daysSinceEpoch: days)
        let time = milliseconds - days * 86_400_000
        return String(unsafeUninitializedCapacity: 24) { text in
            var end = 0
            func write(_ number: Int64, digits: Int, _ mark: UInt8) {
                var number = number
                for place in stride(from: end + digits - 1, through: end, by: -1) {
                    text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
                    number /= 10
                }
                text[end + digits] = mark
                end += digits + 1
            }
            write(date.year, digits: 4, UInt8(ascii: "-"))
            write(date.month, digits: 2, UInt8(ascii: "-"))
            write(date.day, digits: 2, UInt8(ascii: "T"))
            write(time / 3_600_000, digits: 2, UInt8(ascii: ":"))
            write(time / 60_000 % 60, digits: 2, UInt8(ascii: ":"))
            write(time / 1000 % 60, digits: 2, UInt8(ascii: "."))
            write(time % 1000, digits: 3, UInt8(ascii: "Z"))
            return end
        }
    }

    /// Earlier moments come first.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.microseconds < rhs.microseconds }
}

extension Int64 {
    /// The quotient, rounded down where it is negative too.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// A day of the Gregorian calendar.
private struct CivilDate {
    var year: Int64
    var month: Int64
    var day: Int64

    /// Counts in years that begin in March, so that a leap day is their last: Howard Hinnant,
    /// "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    init(daysSinceEpoch days: Int64) {
        let shifted = days + 719_468
        let era = shifted.floored(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}
