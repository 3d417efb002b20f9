/// A time of the wall clock, in microseconds since 1970-01-01T00:00:00Z.
///
/// It is for people to read. Anybody may set the wall clock, so nothing is measured by it: see
/// ``Moment``. JobCore has no clock; every moment is passed in as an argument.
public struct Timestamp: TimePoint {
    /// The microseconds since the Unix epoch.
    public var microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The time in RFC 3339 form with milliseconds, in UTC, such as `2026-11-21T06:45:03.611Z`.
    ///
    /// It is formatted by hand because every line of the log has one, and Foundation takes longer for it
    /// than for the rest of the line. Years range from 0000 to 9999.
    public var rfc3339: String {
        // Truncated, not rounded, so that a time never appears to be in the future.
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
}

extension Int64 {
    /// Returns the quotient rounded down, also for negative numbers.
    public func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
