import ArgumentParser
import FoundationEssentials
import Vocabulary

/// A time in the past as people write it: `10m`, or an RFC 3339 time.
enum SinceTime: Hashable, Sendable {
    /// A number of seconds ago.
    case ago(Double)
    /// A point in time.
    case at(Date)

    /// Reads a time from the command line.
    ///
    /// - Throws: `ValidationError`
    init(argument: String) throws {
        if let date = LocalTime.parse(argument) {
            self = .at(date)
            return
        }
        // A number alone could be meant in days as well as in seconds, 6M in months as well as in minutes, and
        // what is older may be forgotten.
        guard let seconds = DurationText.seconds(argument, bare: nil, mayBeCapital: false) else {
            throw ValidationError(
                "give how long ago, written like \(DurationText.examples), or a time such as 2026-11-21T06:45:00Z"
            )
        }
        self = .ago(seconds)
    }

    /// Returns the time, but no earlier than 1970: nothing happened before, and extreme years can't be
    /// written.
    func date(now: Date) -> Date {
        let date =
            switch self {
            case .ago(let seconds): now.addingTimeInterval(-seconds)
            case .at(let date): date
            }
        return max(date, Date(timeIntervalSince1970: 0))
    }
}
