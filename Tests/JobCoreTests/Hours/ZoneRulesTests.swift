import Foundation
import TestSupport
import Testing

@testable import JobCore
@testable import JobModel

@Suite("The rules of time zones")
struct ZoneRulesTests {
    private static let folder = "/usr/share/zoneinfo"
    /// Debian's, which reads Debian's files.
    private static let python = "/usr/bin/python3"

    /// The zones of Debian's tzdata by name.
    private static let zones: [(name: String, rules: ZoneRules)] = {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { !$0.hasPrefix("right/") && !$0.hasPrefix("posix/") }.sorted().compactMap {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\($0)"),
                bytes.starts(with: "TZif".utf8), let rules = ZoneRules(file: Array(bytes))
            else { return nil }
            return ($0, rules)
        }
    }()

    /// A script with which Python's reader of the same files prints the offset at a time in a zone.
    private static let script = """
        import sys, zoneinfo, datetime
        for line in open(sys.argv[1]):
            name, time = line.split()
            when = datetime.datetime.fromtimestamp(int(time), zoneinfo.ZoneInfo(name))
            print(int(when.utcoffset().total_seconds()))
        """

    /// Years in and after what files list one by one (until 2037), and when something begins and ends.
    private static let spans = ["1990-01-01", "2026-01-01", "2036-06-01", "2098-01-01"].compactMap {
        Timestamp(rfc3339: $0 + "T00:00:00Z").map { $0.microseconds / 1_000_000 }
    }

    @Test(
        "Every zone that Debian has is read as Python reads it, around each change",
        .enabled(if: zones.count > 300 && access(python, X_OK) == 0, "needs tzdata and python3"),
        .timeLimit(.minutes(2))
    )
    func againstPython() throws {
        var asked: [(zone: String, time: Int64, offset: Int64)] = []
        for (name, rules) in Self.zones {
            for start in Self.spans {
                var time = start
                asked.append((name, time, rules.offset(at: time)))
                while let next = rules.nextChange(after: time), next < start + 2 * 366 * 86_400 {
                    for near in [next - 1, next, next + 1800] {
                        asked.append((name, near, rules.offset(at: near)))
                    }
                    time = next
                }
            }
        }
        let directory = try TemporaryDirectory()
        let questions = asked.map { "\($0.zone) \($0.time)\n" }.joined()
        try directory.write(Array(questions.utf8), to: "questions")
        let (status, output) = try Shell.run([Self.python, "-c", Self.script, directory.path("questions")])
        #expect(status == 0)
        let answers = output.split(separator: "\n").map { Int64($0) }
        #expect(answers.count == asked.count)
        for (question, answer) in zip(asked, answers) where question.offset != answer {
            Issue.record("\(question.zone) at \(question.time): \(question.offset), not \(answer ?? 0)")
        }
    }

    @Test(
        "In every zone, hours end at the first moment at which something else is allowed",
        .enabled(if: zones.count > 300, "needs tzdata")
    )
    func everyZone() throws {
        let table = Timetable(
            (0..<7).flatMap { day in
                [
                    Timetable.Entry(minute: day * 1440 + 90, rule: .pause),
                    Timetable.Entry(minute: day * 1440 + 150, rule: .atMost(1000)),
                    Timetable.Entry(minute: day * 1440 + 23 * 60, rule: .unlimited),
                ]
            }
        )
        for (name, rules) in Self.zones {
            // Both nights of a year, where there are any.
            var change = Self.spans[1]
            for _ in 0..<2 {
                guard let next = rules.nextChange(after: change) else { break }
                change = next
                var time = Timestamp(microseconds: (change - 5000) * 1_000_000)
                while time.microseconds < (change + 5000) * 1_000_000 {
                    let hours = table.hours(at: time, in: rules)
                    let until = try #require(hours.until)
                    let before = Timestamp(microseconds: until.microseconds - 1)
                    #expect(until > time && table.hours(at: before, in: rules) == hours, "\(name)")
                    #expect(table.hours(at: until, in: rules).rule != hours.rule, "\(name)")
                    time = until
                }
            }
        }
    }

    @Test(
        "Rules for years to come are read in every form that POSIX and RFC 9636 have",
        arguments: [
            // Half-years of the south, minutes, hours beyond a day, days by number.
            ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2027-01-01T00:00:00Z", 13 * 3600),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2027-07-01T00:00:00Z", 37_800),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-07-01T00:00:00Z", -3600),
            ("IST-2IDT,M3.4.4/26,M10.5.0", "2027-03-25T23:59:59Z", 7200),
            ("IST-2IDT,M3.4.4/26,M10.5.0", "2027-03-26T00:00:00Z", 10_800),
            ("EST5EDT,J60,J300", "2028-03-01T06:59:59Z", -18_000),
            ("EST5EDT,J60,J300", "2028-03-01T07:00:00Z", -14_400),
            ("EST5EDT,59/0,299", "2028-02-29T05:00:00Z", -14_400),
            // Summer all year.
            ("XXX3EDT4,0/0,J365/23", "2027-01-01T03:00:00Z", -14_400),
            ("AAA24:59:59BBB-24:59:59,0,365/167", "2027-06-01T00:00:00Z", 89_999),
            // Changes of a year that come in the next one.
            ("AAA0BBB,365/167,3", "2027-01-01T00:00:00Z", 3600),
            ("AAA0BBB,365/167,3", "2027-01-05T00:00:00Z", 0),
            ("UTC0", "2027-01-01T00:00:00Z", 0), ("<-1234>12:34:56", "2027-01-01T00:00:00Z", -45_296),
        ] as [(String, String, Int64)]
    )
    func yearlyRule(text: String, moment: String, offset: Int64) throws {
        let rule = try #require(YearlyClockRule(text))
        let time = try #require(Timestamp(rfc3339: moment)).microseconds / 1_000_000
        #expect(rule.offset(at: time) == offset)
    }

    @Test(
        "Anything else is no rule",
        arguments: [
            "", "CET", "CE-1", "CET-25", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
            "CET-1CEST,M3.6.0,M10.5.0",
            "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,J0,J300",
            "CET-1CEST,366,1",
            "CET-1CEST,M3.5.0,M10.5.0x", "<CET-1", ":Europe/Vienna",
        ]
    )
    func noRule(text: String) { #expect(YearlyClockRule(text) == nil) }

    @Test("A file that is cut short, damaged, or counts leap seconds is refused, and breaks nothing")
    func damaged() throws {
        let path = "\(Self.folder)/Europe/Vienna"
        guard let whole = FileManager.default.contents(atPath: path).map(Array.init) else { return }
        #expect(ZoneRules(file: whole) != nil)
        for length in stride(from: 0, to: whole.count - 30, by: 7) {
            #expect(ZoneRules(file: Array(whole.prefix(length))) == nil)
        }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var bytes = whole
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
                in: 0...255,
                using: &generator
            )
            _ = ZoneRules(file: bytes)?.offset(at: Self.spans[1])
        }
        if let right = FileManager.default.contents(atPath: "\(Self.folder)/right/Europe/Vienna") {
            #expect(ZoneRules(file: Array(right)) == nil)
        }
    }
}
