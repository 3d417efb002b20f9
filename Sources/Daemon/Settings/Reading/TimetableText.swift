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
