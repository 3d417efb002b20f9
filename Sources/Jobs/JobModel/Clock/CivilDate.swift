/// A day of the Gregorian calendar.
///
/// Both conversions count in years that begin in March, so that a leap day comes last: Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms".
public struct CivilDate: Hashable, Sendable {
    /// The year; 0 is the one before the year 1.
    public var year: Int64
    /// Counted from 1.
    public var month: Int64
    /// Counted from 1.
    public var day: Int64

    /// Creates a date from a day number, 0 for 1970-01-01 (`civil_from_days`).
    public init(daysSinceEpoch days: Int64) {
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

    /// Creates a date from its parts, with month and day counted from 1.
    public init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day's number, 0 for 1970-01-01 (`days_from_civil`).
    ///
    /// A day beyond the end of its month counts into the next month.
    public var daysSinceEpoch: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.floored(by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
