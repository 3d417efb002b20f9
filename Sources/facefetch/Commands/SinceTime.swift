import ArgumentParser
import FoundationEssentials

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
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = argument.last.flatMap({ units[$0] }), let number = Int(argument.dropLast()),
            number >= 0
        else {
            throw ValidationError("give 90s, 10m, 2h or 3d, or a time such as 2026-11-21T06:45:00Z")
        }
        self = .ago(Double(number) * unit)
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
