import Testing

@testable import Settings

@Suite("Timetables as people write them")
struct TimetableTextTests {
    @Test("An entry without days is for those of the one before it; the first, for every day")
    func days() throws {
        let entries = try TimetableText.parse("Mon-Fri 08:00 1M; 18:00 off; Sat,Sun 00:00 pause")
        #expect(entries.map(\.days) == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [5, 6]])
        #expect(entries.map(\.minute) == [480, 1080, 0])
        #expect(entries.map(\.rule) == [.rate(1 << 20), .off, .pause])
        #expect(try TimetableText.parse("8:00 pause").map(\.days) == [[0, 1, 2, 3, 4, 5, 6]])
        #expect(try TimetableText.parse(" ;; \n").isEmpty)
    }

    @Test(
        "Days are names, ranges and lists",
        arguments: [
            ("Sun", [6]), ("saturday", [5]), ("FRI-Mon", [0, 4, 5, 6]), ("Mon,Wed-Thu,Wed", [0, 2, 3]),
            ("Mon-Mon", [0]),
        ] as [(String, [Int])]
    )
    func dayNames(text: String, days: [Int]) throws {
        #expect(try TimetableText.parse("\(text) 23:59 pause").first?.days == days)
    }

    @Test(
        "Rates are sizes a second",
        arguments: [
            ("1.5 MiB/s", 1_572_864), ("500 kB", 500_000), ("2000", 2000), ("10k", 10_240), ("1", 1),
        ] as [(String, Int64)]
    )
    func rates(text: String, rate: Int64) throws {
        #expect(try TimetableText.parse("00:00 \(text)").first?.rule == .rate(rate))
    }

    @Test(
        "What is wrong is said",
        arguments: [
            ("off", "\"off\" is not a day"), ("Mon", "\"Mon\" has no time"),
            ("Mon 24:00 off", "\"24:00\" is not a time"),
            ("Mon 8 off", "\"8\" is not a time"), ("Mon 08:60 off", "\"08:60\" is not a time"),
            ("Mon 08:00", "doesn't say what holds"), ("Mon 08:00 slow", "\"slow\" is not a rate"),
            ("Mon 08:00 0", "\"0\" is not a rate"), ("Mon 08:00 -5", "\"-5\" is not a rate"),
            ("Mon-Tue-Wed 08:00 off", "is not a day or a range"), ("Mon, 08:00 off", "\"\" is not a day"),
            ("Mon-Fri 08:00 off; Wed 08:00 pause", "is for a time that \"Mon-Fri 08:00 off\" is for already"),
            ("Mon 08:00 ٣", "\"٣\" is not a rate"),
        ]
    )
    func wrong(text: String, words: String) {
        let error = #expect(throws: TimetableText.Wrong.self) { try TimetableText.parse(text) }
        #expect(error?.words.contains(words) == true, "\(error?.words ?? "")")
    }
}
