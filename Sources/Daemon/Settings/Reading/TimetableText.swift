import Vocabulary

/// Parses timetables as people write them: `Mon-Fri 08:00 1M; 18:00 off; Sat,Sun 00:00 pause`.
struct TimetableText {
    typealias Entry = DaemonSettings.TimetableEntry

    /// The reason why a text is no timetable, for people.
    struct Wrong: Error {
        var words: String
    }

    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let longDays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    /// More lines than any week needs.
    private static let limit = 500

    /// Parses a timetable; an empty text has no entries.
    ///
    /// A line without days is for those of the line before it.
    static func parse(_ text: String) throws(Wrong) -> [Entry] {
        var entries: [Entry] = []
        var seen: [Int: String] = [:]
        let lines = text.split(whereSeparator: { $0 == ";" || $0.isNewline }).map(\.trimmed)
            .filter { !$0.isEmpty }
        guard lines.count <= limit else { throw Wrong(words: "it has more than \(limit) entries") }
        for line in lines {
            let entry = try entry(line, after: entries.last?.days ?? Array(days.indices))
            for day in entry.days {
                let minute = day * 1440 + entry.minute
                if let other = seen[minute] {
                    throw Wrong(words: "\"\(line)\" is for a time that \"\(other)\" is for already")
                }
                seen[minute] = line
            }
            entries.append(entry)
        }
        return entries
    }

    private static func entry(_ line: String, after days: [Int]) throws(Wrong) -> Entry {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)[...]
        var days = days
        if let first = words.first, first.first?.isNumber == false {
            days = try self.days(first)
            words.removeFirst()
        }
        guard let time = words.first else { throw Wrong(words: "\"\(line)\" has no time") }
        guard let minute = minute(time) else {
            throw Wrong(words: "\"\(time)\" is not a time from 00:00 to 23:59")
        }
        let rule = words.dropFirst().joined(separator: " ")
        guard !rule.isEmpty else {
            throw Wrong(words: "\"\(line)\" doesn't say what holds then: a rate, off or pause")
        }
        return Entry(days: days, minute: minute, rule: try self.rule(rule))
    }

    private static func days(_ text: String) throws(Wrong) -> [Int] {
        var found: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map {
                day(String($0))
            }
            guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil else {
                throw Wrong(words: "\"\(part)\" is not a day or a range of days, such as Mon or Mon-Fri")
            }
            // Fri-Mon goes over the week's end.
            for day in first...(last < first ? last + 7 : last) { found.insert(day % 7) }
        }
        return found.sorted()
    }

    private static func day(_ text: String) -> Int? {
        let word = text.lowercased()
        return days.firstIndex(of: word) ?? longDays.firstIndex(of: word)
    }

    private static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) } }
        guard areDigits, parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    private static func rule(_ text: String) throws(Wrong) -> Entry.Rule {
        switch text.lowercased() {
        case "off": return .off
        case "pause": return .pause
        default:
            guard let rate = AmountText.rate(text) else {
                throw Wrong(words: "\"\(text)\" is not a rate such as 1M or 500 kB/s, nor off or pause")
            }
            return .rate(rate)
        }
    }
}

/// The files of the time zones that the machine knows (tzfile(5)).
public enum TimeZoneFile {
    /// The directory of the files.
    private static let directory = "/usr/share/zoneinfo"
    /// The file of the machine's own zone (localtime(5)).
    public static let local = "/etc/localtime"

    /// Returns what a zone's file holds; nil if the machine has no zone of that name.
    public static func bytes(of zone: String) -> [UInt8]? {
        // No dots, so that no name leads out of the directory.
        let isPlain = zone.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0 & 0xDF) || "+-_/".utf8.contains($0)
        }
        guard isPlain, !zone.isEmpty, !zone.hasPrefix("/"), zone.utf8.count < 256 else { return nil }
        return bytes(at: "\(directory)/\(zone)")
    }

    /// Returns what the file of a zone holds; nil if there is none.
    public static func bytes(at path: String) -> [UInt8]? {
        guard let bytes = try? TextFile.bytes(path), bytes.starts(with: "TZif".utf8) else { return nil }
        return bytes
    }
}

extension DaemonSettings {
    /// A line of the timetable: from a time on, on certain days, something is allowed.
    public struct TimetableEntry: Hashable, Sendable {
        /// A rule of what is allowed.
        public enum Rule: Hashable, Sendable {
            /// No limit but the others'.
            case off
            /// This many bytes per second.
            case rate(Int64)
            /// No downloads.
            case pause
        }

        /// The days, counted from 0 for Monday, ascending.
        public var days: [Int]
        /// The minute of the day.
        public var minute: Int
        /// The rule that holds until the next line's time.
        public var rule: Rule
    }
}
