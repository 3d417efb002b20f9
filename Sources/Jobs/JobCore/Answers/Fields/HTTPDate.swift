import JobModel
import Vocabulary

/// A time in one of the three formats of RFC 9110 §5.6.7.
struct HTTPDate: Hashable, Comparable, Sendable {
    /// The seconds since 1970-01-01T00:00:00Z.
    let seconds: Int64

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses an IMF-fixdate, an RFC 850 date or an asctime date; nil for anything else.
    init?(_ field: String) {
        let words = field.split(whereSeparator: { $0 == " " || $0 == "," })
        switch words.count {
        case 6 where words[5] == "GMT":  // Sun, 06 Nov 1994 08:49:37 GMT
            self.init(day: words[1], month: words[2], year: words[3], clock: words[4])
        case 4 where words[3] == "GMT":  // Sunday, 06-Nov-94 08:49:37 GMT
            let date = words[1].split(separator: "-")
            guard date.count == 3 else { return nil }
            self.init(day: date[0], month: date[1], year: date[2], clock: words[2])
        case 5:  // Sun Nov  6 08:49:37 1994
            self.init(day: words[2], month: words[1], year: words[4], clock: words[3])
        default:
            return nil
        }
    }

    private init?(day: Substring, month: Substring, year: Substring, clock: Substring) {
        let time = clock.split(separator: ":").compactMap { Int64(digits: $0) }
        guard let day = Int64(digits: day), (1...31).contains(day),
            let month = Self.months.firstIndex(of: String(month)),
            let givenYear = Int64(digits: year), givenYear < 10_000,
            time.count == 3, time[0] < 24, time[1] < 60, time[2] <= 60
        else { return nil }
        // RFC 9110 §5.6.7 takes two digits for the nearest year less than 50 years ahead. Without a
        // clock, POSIX's split at 69 amounts to the same.
        let fullYear =
            year.count > 2 ? givenYear : givenYear + (givenYear < 69 ? 2000 : 1900)
        seconds =
            CivilDate(year: fullYear, month: Int64(month) + 1, day: day).daysSinceEpoch * 86_400
            + time[0] * 3600 + time[1] * 60 + time[2]
    }

    static func < (lhs: HTTPDate, rhs: HTTPDate) -> Bool { lhs.seconds < rhs.seconds }
}
