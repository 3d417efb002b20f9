import Testing
import Vocabulary

@Suite("Durations as people write them")
struct DurationTextTests {
    @Test(
        "a number and its unit, in either case, with and without blanks",
        arguments: [
            ("0s", 0), ("90s", 90), ("90 sec", 90), ("250 ms", 0.25), ("5m", 300), ("5min", 300),
            ("5 min", 300),
            ("5 MIN", 300), ("5M", 300), ("1 h", 3600), ("1.5h", 5400), (".5h", 1800), ("7 d", 604_800),
            ("90d", 7_776_000), ("2w", 1_209_600), (" 60 s ", 60),
        ] as [(String, Double)]
    )
    func single(text: String, seconds: Double) { #expect(DurationText.seconds(text) == seconds) }

    @Test(
        "several of them are added, in any order",
        arguments: [
            ("1h30m", 5400), ("1 h 30 min", 5400), ("1d12h", 129_600), ("1w 2d 3h 4m 5s", 788_645),
            ("30m1h", 5400), ("1h1h", 7200), ("1s500ms", 1.5),
        ] as [(String, Double)]
    )
    func several(text: String, seconds: Double) { #expect(DurationText.seconds(text) == seconds) }

    @Test("a number by itself is in the place's unit, or in none")
    func bare() {
        #expect(DurationText.seconds("60") == 60)
        #expect(DurationText.seconds("90", bare: .day) == 7_776_000)
        #expect(DurationText.seconds("90s", bare: .day) == 90)
        #expect(DurationText.seconds("60", bare: nil) == nil)
        #expect(DurationText.seconds("60 s", bare: nil) == 60)
    }

    @Test(
        "what is no duration",
        arguments: [
            "", " ", "s", "min", "-1s", "+1s", "5 mn", "5 months", "1y", "1h30", "30 1h", "1 0", "1,5h",
            "0x10", "1e3s",
            "5m.", "1..5h", "5 m/s", "s5", "١h", "1h,30m", "nan", "inf",
        ]
    )
    func none(text: String) { #expect(DurationText.seconds(text) == nil) }

    @Test("one too long to be a number is none")
    func infinite() { #expect(DurationText.seconds(String(repeating: "9", count: 400) + "s") == nil) }

    @Test("where a capital M could be meant as months, it is refused")
    func months() {
        #expect(DurationText.seconds("6M", mayBeCapital: false) == nil)
        #expect(DurationText.seconds("6M", in: 60...3600, mayBeCapital: false) == nil)
        #expect(DurationText.seconds("6m", mayBeCapital: false) == 360)
        #expect(DurationText.seconds("6H", mayBeCapital: false) == 21_600)
    }

    @Test("bounds belong to what is allowed")
    func bounds() {
        #expect(DurationText.seconds("1 min", in: 60...3600) == 60)
        #expect(DurationText.seconds("1h", in: 60...3600) == 3600)
        #expect(DurationText.seconds("59s", in: 60...3600) == nil)
        #expect(DurationText.seconds("1h1s", in: 60...3600) == nil)
    }

    @Test(
        "words are in the largest unit that fits, and are read again as what they say",
        arguments: [
            (0, "0 s"), (1, "1 s"), (90, "90 s"), (600, "10 min"), (5400, "90 min"), (3600, "1 h"),
            (86_400, "1 d"),
            (31_536_000, "365 d"),
        ] as [(Double, String)]
    )
    func words(seconds: Double, words: String) {
        #expect(DurationText.words(seconds: seconds) == words)
        #expect(DurationText.seconds(words) == seconds)
    }

    @Test("one sentence says what a place takes")
    func form() {
        #expect(
            DurationText.form(1...600)
                == "a duration from 1 s to 10 min, written like 90s, 5 min, 1h30m or 90d"
        )
        #expect(DurationText.form(from: 60) == "a duration from 1 min, written like 90s, 5 min, 1h30m or 90d")
        #expect(["90s", "5 min", "1h30m", "90d"].allSatisfy { DurationText.seconds($0) != nil })
    }
}
