@testable import Settings

/// A timetable as people write it.
enum TimetableTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let entries: [TimetableText.Entry]
        do throws(TimetableText.Wrong) {
            entries = try TimetableText.parse(String(decoding: bytes, as: UTF8.self))
        } catch {
            try promise(!error.words.isEmpty, "there is no reason")
            return nil
        }
        var times: Set<Int> = []
        for entry in entries {
            try promise(!entry.days.isEmpty && entry.days == entry.days.sorted(), "it is for no day")
            try promise((0..<1440).contains(entry.minute), "the day has no minute \(entry.minute)")
            for day in entry.days {
                try promise((0...6).contains(day), "the week has no day \(day)")
                try promise(times.insert(day * 1440 + entry.minute).inserted, "two lines are for one time")
            }
            if case .rate(let rate) = entry.rule { try promise(rate > 0, "a rate is \(rate)") }
        }
        let again = try? TimetableText.parse(entries.map(text).joined(separator: "; "))
        try promise(again == entries, "it isn't the same after it was written again")
        guard case .rate(let rate)? = entries.first?.rule else { return nil }
        return "\(rate)"
    }

    private static func text(_ entry: TimetableText.Entry) -> String {
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let days = entry.days.map { names[$0] }.joined(separator: ",")
        let minute = entry.minute % 60
        let rule =
            switch entry.rule {
            case .off: "off"
            case .pause: "pause"
            case .rate(let rate): "\(rate)"
            }
        return "\(days) \(entry.minute / 60):\(minute < 10 ? "0" : "")\(minute) \(rule)"
    }
}
